/** How the rehearsal of a migration is shown. */
import type { MigrationFigures } from '../billing/migration-plan.ts'
import type { Fields } from '../wire/shape.ts'

export const migrationPreviewShape: Fields = {
  fields: {
    prorated_adjustment_in_cents: 'integer',
    charge_in_cents: 'integer',
    payment_due_in_cents: 'integer',
    credit_applied_in_cents: 'integer',
  },
}

export const presentMigrationPreview = ({ prorated, charge, paymentDue, creditApplied }: MigrationFigures) => ({
  prorated_adjustment_in_cents: prorated,
  charge_in_cents: charge,
  payment_due_in_cents: paymentDue,
  credit_applied_in_cents: creditApplied,
})
