/** How the rehearsal of a billing event is shown: its lines and what they come to. */
import type { PreviewLine } from '../billing/allocation-preview.ts'
import type { Assessment } from '../billing/assessment.ts'
import type { RenewalPreview } from '../billing/preview.ts'
import type { BillingManifest, SignupPreview } from '../billing/signup-preview.ts'
import type { Fields } from '../wire/shape.ts'
import { formatTimestamp } from '../wire/timestamp.ts'

export const lineItemShape: Fields = {
  fields: {
    transaction_type: 'string',
    kind: 'string',
    amount_in_cents: 'integer',
    memo: 'string',
    discount_amount_in_cents: 'integer',
    taxable_amount_in_cents: 'integer',
  },
}

export const renewalPreviewShape: Fields = {
  fields: {
    next_assessment_at: 'datetime',
    subtotal_in_cents: 'integer',
    total_discount_in_cents: 'integer',
    total_tax_in_cents: 'integer',
    total_in_cents: 'integer',
    existing_balance_in_cents: 'integer',
    total_amount_due_in_cents: 'integer',
    uncalculated_taxes: 'boolean',
    line_items: { list: lineItemShape, item: 'line_item' },
  },
}

type ShownLine = Pick<PreviewLine, 'type' | 'amount' | 'memo' | 'discountAmount' | 'taxableAmount'> & {
  kind: PreviewLine['kind'] | 'component'
}

export const presentLineItem = (line: ShownLine) => ({
  transaction_type: line.type,
  kind: line.kind,
  amount_in_cents: line.amount,
  memo: line.memo,
  discount_amount_in_cents: line.discountAmount,
  taxable_amount_in_cents: line.taxableAmount,
})

export const presentTotals = (assessment: Pick<Assessment, 'subtotal' | 'discount' | 'tax' | 'total'>) => ({
  subtotal_in_cents: assessment.subtotal,
  total_discount_in_cents: assessment.discount,
  total_tax_in_cents: assessment.tax,
  total_in_cents: assessment.total,
})

/** All taxes are computed here, so none is left uncalculated. */
export const presentRenewalPreview = (preview: RenewalPreview, timeZone: string) => ({
  next_assessment_at: formatTimestamp(preview.nextAssessmentAt, timeZone),
  ...presentTotals(preview.assessment),
  existing_balance_in_cents: preview.existingBalance,
  total_amount_due_in_cents: preview.totalAmountDue,
  uncalculated_taxes: false,
  line_items: preview.assessment.lines.map(presentLineItem),
})

const manifestShape: Fields = {
  fields: {
    line_items: { list: lineItemShape, item: 'line_item' },
    subtotal_in_cents: 'integer',
    total_discount_in_cents: 'integer',
    total_tax_in_cents: 'integer',
    total_in_cents: 'integer',
    start_date: 'datetime',
    end_date: 'datetime',
    period_type: 'string',
    existing_balance_in_cents: 'integer',
  },
}

export const signupPreviewShape: Fields = {
  fields: { current_billing_manifest: manifestShape, next_billing_manifest: manifestShape },
}

/** Clients know one kind for the lines of components, whatever these are. */
const manifestKind = (kind: PreviewLine['kind']): PreviewLine['kind'] | 'component' =>
  kind?.endsWith('_component') ? 'component' : kind

const presentManifest = ({ assessment, period, periodType, existingBalance }: BillingManifest, timeZone: string) => ({
  line_items: assessment.lines.map((line) => presentLineItem({ ...line, kind: manifestKind(line.kind) })),
  ...presentTotals(assessment),
  start_date: formatTimestamp(period.startsAt, timeZone),
  end_date: formatTimestamp(period.endsAt, timeZone),
  period_type: periodType,
  existing_balance_in_cents: existingBalance,
})

/** There is no next manifest of a subscription that expires first. */
export const presentSignupPreview = ({ current, next }: SignupPreview, timeZone: string) => ({
  current_billing_manifest: presentManifest(current, timeZone),
  next_billing_manifest: next && presentManifest(next, timeZone),
})
