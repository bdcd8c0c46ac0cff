/** Names for people of the countries and states that addresses give as codes; null where a code is not known. */

const countries = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

const usa =
  'AL Alabama,AK Alaska,AZ Arizona,AR Arkansas,CA California,CO Colorado,CT Connecticut,DE Delaware,DC District of Columbia,FL Florida,GA Georgia,HI Hawaii,ID Idaho,IL Illinois,IN Indiana,IA Iowa,KS Kansas,KY Kentucky,LA Louisiana,ME Maine,MD Maryland,MA Massachusetts,MI Michigan,MN Minnesota,MS Mississippi,MO Missouri,MT Montana,NE Nebraska,NV Nevada,NH New Hampshire,NJ New Jersey,NM New Mexico,NY New York,NC North Carolina,ND North Dakota,OH Ohio,OK Oklahoma,OR Oregon,PA Pennsylvania,RI Rhode Island,SC South Carolina,SD South Dakota,TN Tennessee,TX Texas,UT Utah,VT Vermont,VA Virginia,WA Washington,WV West Virginia,WI Wisconsin,WY Wyoming,AS American Samoa,GU Guam,MP Northern Mariana Islands,PR Puerto Rico,VI U.S. Virgin Islands'
const canada =
  'AB Alberta,BC British Columbia,MB Manitoba,NB New Brunswick,NL Newfoundland and Labrador,NS Nova Scotia,NT Northwest Territories,NU Nunavut,ON Ontario,PE Prince Edward Island,QC Quebec,SK Saskatchewan,YT Yukon'

const byCode = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(',').map((entry) => [entry.slice(0, 2), entry.slice(3)]))

const states: Readonly<Record<string, ReadonlyMap<string, string>>> = { US: byCode(usa), CA: byCode(canada) }

const codeOf = (text: string | null): string | null => {
  const code = text?.trim().toUpperCase() ?? ''
  return /^[A-Z]{2}$/.test(code) ? code : null
}

/** Of two letters, in either case. */
export function countryName(country: string | null): string | null {
  const code = codeOf(country)
  return code === null ? null : (countries.of(code) ?? null)
}

/** Those of the United States and of Canada are known. */
export const stateName = (country: string | null, state: string | null): string | null =>
  states[codeOf(country) ?? '']?.get(codeOf(state) ?? '') ?? null
