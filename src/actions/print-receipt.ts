/** The page that goes with a receipt: the statement that the payment stands on. */
import type { Attachment } from '../mail/post.ts'
import type { LetterFacts } from '../store/letter-facts.ts'
import { getLetterhead } from '../store/letterheads.ts'
import type { SiteRow } from '../store/sites.ts'
import { findStatementDetails } from '../store/statement-details.ts'
import { printedStatement } from '../views/printed-statement.ts'
import type { App } from './app.ts'

/** Nothing for other letters. Throws as the renderer does when it has too much to do. */
export async function printReceipt(app: App, site: SiteRow, { letter, payment }: LetterFacts): Promise<Attachment[]> {
  if (letter.kind !== 'receipt' || payment === null || payment.statementId === null) return []
  const [details, letterhead] = await Promise.all([
    findStatementDetails(app.db, site.id, payment.statementId),
    getLetterhead(app.db, site.id),
  ])
  if (details === undefined) return []
  const content = await app.pdf.render(printedStatement(details, site, letterhead))
  return [{ filename: `statement-${payment.statementId}.pdf`, contentType: 'application/pdf', content }]
}
