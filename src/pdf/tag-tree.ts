/** The tree of a tagged PDF: grows as the marked texts of the pages pass by in their order. */

import type { PdfObject } from './pdf-update.ts'

/** The same numbers stand in `document.typ`. */
const roles = {
  paragraph: 1,
  title: 2,
  heading: 3,
  columns: [4, 13, 14, 15],
  cells: [5, 6, 7, 8],
  sum: [9, 10],
  fact: [11, 12],
} as const

type Marked = { readonly page: number; readonly mark: number }
type Element = { readonly name: string; readonly kids: (Element | Marked)[]; readonly attributes: string }

const element = (name: string, attributes = ''): Element => ({ name, kids: [], attributes })
const isElement = (kid: Element | Marked): kid is Element => 'name' in kid

/** A table that is being filled: the cell that the last text went into, by its column. */
type Filling = { readonly table: Element; row: Element; columns: number[] }

export class TagTree {
  readonly #document = element('Document')
  /** The element of each mark, page by page. */
  readonly #pages: { readonly number: number; readonly marks: Element[] }[] = []
  #role = 0
  #last: Element = this.#document
  #filling: Filling | undefined
  #header: number[] = []

  beginPage(number: number): void {
    this.#pages.push({ number, marks: [] })
  }

  /** The operator that begins the text; it belongs to what the one before belongs to where it goes on with it. */
  mark(role: number): string {
    const isRepeated =
      (roles.columns as readonly number[]).includes(role) && this.#header.includes(role) && role !== this.#role
    if (role === 0 || isRepeated) return '/Artifact BMC'
    if (role !== this.#role) this.#last = this.#elementFor(role)
    this.#role = role
    return this.#begin(this.#last)
  }

  /** `alternative` is the entry `/Alt (...)` as it stands in the file. */
  markPicture(alternative: string): string {
    const picture = element('Figure', alternative)
    this.#document.kids.push(picture)
    this.#role = 0
    return this.#begin(picture)
  }

  #begin(owner: Element): string {
    const page = this.#pages.at(-1)!
    const mark = page.marks.length
    owner.kids.push({ page: page.number, mark })
    page.marks.push(owner)
    return `/${owner.name} << /MCID ${mark} >> BDC`
  }

  #elementFor(role: number): Element {
    const table = [roles.columns, roles.cells, roles.sum, roles.fact].find((one) =>
      (one as readonly number[]).includes(role),
    )
    if (table !== undefined) return this.#cell(table, role)
    this.#endTable()
    const name = role === roles.title ? 'H1' : role === roles.heading ? 'H2' : 'P'
    const made = element(name)
    this.#document.kids.push(made)
    return made
  }

  /** Lines go under their headings into one table; sums and facts have tables of their own. A row begins with its first column. */
  #cell(table: readonly number[], role: number): Element {
    const column = table.indexOf(role)
    const isLine = table === roles.cells
    const goesOn = this.#filling !== undefined && (isLine ? this.#header.length > 0 : table.includes(this.#role))
    if (!goesOn) this.#beginTable()
    const filling = this.#filling!
    const isSame = table.includes(this.#role) && column > (filling.columns.at(-1) ?? -1)
    if (goesOn && !isSame) this.#beginRow()
    if (table === roles.columns) this.#header.push(role)
    if (isLine) this.#fillUp(column)
    const cell = table === roles.columns ? element('TH', '/A << /O /Table /Scope /Column >>') : element('TD')
    filling.row.kids.push(cell)
    filling.columns.push(column)
    return cell
  }

  #beginTable(): void {
    const table = element('Table')
    this.#document.kids.push(table)
    this.#filling = { table, row: element('TR'), columns: [] }
    table.kids.push(this.#filling.row)
  }

  #beginRow(): void {
    const filling = this.#filling!
    filling.row = element('TR')
    filling.columns = []
    filling.table.kids.push(filling.row)
  }

  /** Cells without a text stand in the row all the same. */
  #fillUp(column: number): void {
    const { row, columns } = this.#filling!
    for (let skipped = (columns.at(-1) ?? -1) + 1; skipped < column; skipped += 1) {
      if (this.#header.includes(roles.columns[skipped]!)) row.kids.push(element('TD'))
    }
  }

  #endTable(): void {
    this.#filling = undefined
  }

  /** With object numbers from `first` on. */
  write(first: number): { root: number; objects: PdfObject[] } {
    const numbers = new Map<Element, number>()
    const number = (one: Element): void => {
      numbers.set(one, first + 2 + numbers.size)
      for (const kid of one.kids) if (isElement(kid)) number(kid)
    }
    number(this.#document)
    const reference = (one: Element): string => `${numbers.get(one)} 0 R`
    const kidOf = (kid: Element | Marked): string =>
      isElement(kid) ? reference(kid) : `<< /Type /MCR /Pg ${kid.page} 0 R /MCID ${kid.mark} >>`
    const parents = new Map(
      [...numbers.keys()].flatMap((one) => one.kids.filter(isElement).map((kid) => [kid, one] as const)),
    )
    const elements = [...numbers].map(([one, own]) => {
      const parent = parents.get(one)
      const body = `<< /Type /StructElem /S /${one.name} /P ${parent ? reference(parent) : `${first} 0 R`} ${one.attributes}`
      return { number: own, body: `${body}\n  /K [${one.kids.map(kidOf).join(' ')}] >>` }
    })
    const marks = this.#pages.map((page, index) => `${index} [${page.marks.map(reference).join(' ')}]`)
    const root = `<< /Type /StructTreeRoot /K ${reference(this.#document)} /ParentTree ${first + 1} 0 R /ParentTreeNextKey ${this.#pages.length} >>`
    return {
      root: first,
      objects: [
        { number: first, body: root },
        { number: first + 1, body: `<< /Nums [${marks.join(' ')}] >>` },
        ...elements,
      ],
    }
  }
}
