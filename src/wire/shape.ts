/** What XML must be told about a value that JSON shows by itself: the types of nulls, which strings are dates, the names of list items. */

/** `untypedInteger` is a number whose element carries no type. */
export type Leaf = 'string' | 'integer' | 'untypedInteger' | 'boolean' | 'datetime' | 'decimal' | 'date'

/** `isUntyped` leaves out `type="array"`. */
export type List = { readonly list: Shape; readonly item: string; readonly isUntyped?: boolean }

/** `xmlType` is the type attribute that the element itself carries. */
export type Fields = { readonly fields: { readonly [name: string]: Shape }; readonly xmlType?: string }

/** A field without an entry is inferred: a number is an integer, true and false are booleans, a string and a null carry no type. */
export type Shape = Leaf | List | Fields
