/** Documents to print, one for each thing that can go wrong on a page: the proof's own customers, never a real one. */
import { type Cents, cents } from '../../src/billing/money.ts'
import type { PrintedDocument, PrintedLine, PrintedParty } from '../../src/pdf/document.ts'

const nobody: Omit<PrintedParty, 'name'> = {
  address: null,
  address2: null,
  city: null,
  state: null,
  zip: null,
  country: null,
}

const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 40"><rect width="40" height="40" rx="9" fill="#1d4e89"/>
<path d="M11 29V11h4v8l8-8h5l-8 8 9 10h-5l-7-8-2 2v6z" fill="#fff"/><rect x="50" y="8" width="64" height="8" rx="4" fill="#1d4e89"/>
<rect x="50" y="24" width="40" height="8" rx="4" fill="#9db8d6"/></svg>`

const seller: PrintedDocument['seller'] = {
  ...nobody,
  name: 'Acme Orchards Ltd',
  address: '12 Mill Lane',
  city: 'Bath',
  zip: 'BA1 1AA',
  country: 'GB',
  email: 'accounts@acme.example',
  vatNumber: 'GB123456789',
  logo: { type: 'svg', bytes: Buffer.from(logo) },
}

const ada: PrintedParty = {
  ...nobody,
  name: 'Analytical Engines Inc.',
  attention: 'Ada Byron',
  address: '1 Long Street',
  address2: 'Floor 3',
  city: 'Boston',
  state: 'MA',
  zip: '02120',
  country: 'US',
}

const monthly = (description: string, amount: number, more: Partial<PrintedLine> = {}): PrintedLine => ({
  description,
  period: { from: '2026-12-01', to: '2027-01-01' },
  amount: cents(amount),
  ...more,
})

const sum = (lines: readonly PrintedLine[]): Cents => cents(lines.reduce((total, line) => total + line.amount, 0))

/** An unpaid invoice without discounts or taxes; what is given replaces what it has. */
const invoice = (
  number: string,
  lines: readonly PrintedLine[],
  more: Partial<PrintedDocument> = {},
): PrintedDocument => ({
  kind: 'invoice',
  title: 'Invoice',
  number,
  issuedOn: '2026-12-01',
  dueOn: '2026-12-31',
  paidOn: null,
  facts: [{ label: 'Subscription', value: '500012' }],
  seller,
  buyer: ada,
  shipTo: null,
  lines,
  discounts: [],
  taxes: [],
  total: sum(lines),
  previousBalance: cents(0),
  payments: [],
  balance: sum(lines),
  balanceLabel: 'Amount due',
  stamp: null,
  notes: [],
  pageSize: 'A4',
  currency: 'USD',
  locale: 'en-US',
  ...more,
})

const seats = Array.from({ length: 59 }, (_, index) =>
  monthly(
    `Workspace ${index + 1}${index % 7 === 3 ? ', with the archive of all messages, nightly copies in a second region and a contact by telephone' : ''}`,
    1250 + 37 * index,
    {
      quantity: String(1 + (index % 9)),
      unitPrice: '12.5',
    },
  ),
)

export const documents: Readonly<Record<string, PrintedDocument>> = {
  'one-line': invoice('000014', [monthly('Basic Plan', 4900)]),
  'sixty-lines': invoice('000015', [monthly('Business Plan', 120000), ...seats], {
    seller: { ...seller, country: 'US', city: 'Boston', state: 'MA', zip: '02108', vatNumber: null },
    shipTo: {
      ...ada,
      name: 'Analytical Engines Inc., Harbour Warehouse',
      attention: null,
      address: '77 Northern Avenue',
    },
    discounts: [{ name: 'Coupon WELCOME10: 10% off for ever', amount: cents(25000) }],
    taxes: [{ name: 'MA Sales Tax', ratePercent: '6.25', base: null, amount: cents(14211) }],
    total: cents(sum([monthly('', 120000), ...seats]) - 25000 + 14211),
    balance: cents(sum([monthly('', 120000), ...seats]) - 25000 + 14211),
    notes: ['Thank you for your business. Please quote the invoice number with your payment.'],
    pageSize: 'Letter',
  }),
  'partial-payment': invoice(
    '000016',
    [monthly('Basic Plan', 10000, { quantity: '2', unitPrice: '50' }), monthly('Setup', 2500, { period: null })],
    {
      seller: {
        ...seller,
        country: 'DE',
        city: 'Hamburg',
        zip: '20095',
        address: 'Deichstraße 9',
        vatNumber: 'DE123456789',
        name: 'Obsthof Acme GmbH',
      },
      buyer: {
        ...ada,
        name: 'Bäckerei Łukasz Müller & Ωμέγα Привет',
        country: 'FR',
        city: 'Paris',
        state: null,
        zip: '75001',
        vatNumber: 'FR32123456789',
      },
      discounts: [{ name: 'Treuerabatt', amount: cents(1000) }],
      taxes: [{ name: 'USt', ratePercent: '19', base: cents(11500), amount: cents(2185) }],
      total: cents(13685),
      payments: [{ name: 'Bank transfer', on: '2026-12-05', amount: cents(5000) }],
      balance: cents(8685),
      currency: 'EUR',
      locale: 'de-DE',
    },
  ),
  paid: invoice(
    '000017',
    [monthly('Pro Plan', 29900), monthly('API calls', 1234, { quantity: '24680', unitPrice: '0.0005' })],
    {
      taxes: [{ name: 'VAT', ratePercent: '20', base: cents(31134), amount: cents(6227) }],
      total: cents(37361),
      payments: [{ name: 'Card ending in 4242', on: '2026-12-01', amount: cents(37361) }],
      balance: cents(0),
      stamp: 'paid',
      paidOn: '2026-12-01',
      currency: 'GBP',
      locale: 'en-GB',
    },
  ),
  'credits-only': invoice(
    '000018',
    [monthly('Credit for unused seats', -3000), monthly('Goodwill', -1500, { period: null })],
    {
      title: 'Credit note',
      dueOn: null,
      balanceLabel: 'Credit',
    },
  ),
  'right-to-left': invoice(
    '000019',
    [
      monthly('حزمة الأعمال (12 مستخدمًا)', 45000, { quantity: '12', unitPrice: '37.5' }),
      monthly('תוכנית בסיסית Basic Plan 2.0', 9900),
    ],
    {
      seller: {
        ...seller,
        name: 'بساتين النور للتجارة',
        address: 'شارع الملك فهد 120',
        city: 'الرياض',
        zip: '11564',
        country: 'SA',
        vatNumber: '300000000000003',
        logo: null,
      },
      buyer: {
        ...ada,
        name: 'חברת הדוגמה בע"מ',
        attention: 'עדה כהן',
        address: 'רחוב הרצל 5, דירה 3',
        address2: null,
        city: 'תל אביב',
        state: null,
        zip: '6688312',
        country: 'IL',
      },
      notes: ['شكرًا لتعاملكم معنا. يرجى ذكر رقم الفاتورة 000019 عند الدفع.', 'תודה רבה! Thank you.'],
      currency: 'USD',
    },
  ),
  cjk: invoice(
    '000020',
    [
      monthly('标准套餐（每月）', 680000),
      monthly('プロプラン 追加ユーザー', 120000, { quantity: '3', unitPrice: '400' }),
      monthly('기본 요금제', 50000),
      monthly('แพ็กเกจพื้นฐานสำหรับธุรกิจขนาดเล็ก', 12000),
      monthly('मूल योजना', 9900),
      monthly('Smile 😀 தமிழ்', 100),
    ],
    {
      seller: {
        ...seller,
        name: '株式会社アクメ果樹園',
        address: '丸の内1丁目9番1号',
        city: '東京都千代田区',
        zip: '100-0005',
        country: 'JP',
        vatNumber: 'T1234567890123',
      },
      buyer: {
        ...ada,
        name: '北京示例科技有限公司',
        attention: '王小明',
        address: '朝阳区建国路88号',
        address2: null,
        city: '北京',
        state: null,
        zip: '100022',
        country: 'CN',
      },
      currency: 'JPY',
      locale: 'en-GB',
    },
  ),
  'long-names': invoice(
    '000021-CONTINUED-2026-0000000000000000000000001',
    [
      monthly(
        'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(2),
        123456789012,
        { quantity: '123456.12345678', unitPrice: '1234567.12345678' },
      ),
    ],
    {
      seller: {
        ...seller,
        name: 'The Extraordinarily Long Company Name of Persons Who Could Not Agree on a Shorter One, Incorporated',
      },
      buyer: { ...ada, name: 'a'.repeat(120), email: `${'very-long-address'.repeat(5)}@example.com` },
      shipTo: {
        ...ada,
        name: 'Lopado­temacho­selacho­galeo­kranio­leipsano­drim­hypo­trimmato',
        address2: '#rect() $x$ *bold* <label> @ref \\ "quoted" {{}}',
      },
      currency: 'INR',
      locale: 'en-IN',
    },
  ),
  'no-lines': invoice('000022', [], {
    buyer: { ...nobody, name: 'Nobody' },
    seller: { ...nobody, name: 'Acme', logo: null },
    dueOn: null,
    facts: [],
    stamp: 'archived',
  }),
}
