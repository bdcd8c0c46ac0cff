/** How the rehearsal of a migration is shown: its amounts carry no type in XML, as clients of this API have always read them. */
import type { MigrationFigures } from '../billing/migration-plan.ts'
import type { Fields } from '../wire/shape.ts'

export const migrationPreviewShape: Fields = {
  fields: {
    prorated_adjustment_in_cents: 'untypedInteger',
    charge_in_cents: 'untypedInteger',
    payment_due_in_cents: 'untypedInteger',
    credit_applied_in_cents: 'untypedInteger',
  },
}

export const presentMigrationPreview = ({ prorated, charge, paymentDue, creditApplied }: MigrationFigures) => ({
  prorated_adjustment_in_cents: prorated,
  charge_in_cents: charge,
  payment_due_in_cents: paymentDue,
  credit_applied_in_cents: creditApplied,
})
