/** Which product a request names: for a sign-up, an update, a migration. */
import type { Named } from '../store/catalog.ts'
import { isGiven } from '../wire/input.ts'

type Choice = { product_handle?: string | null | undefined; product_id?: number | null | undefined }

/** Where both are given the handle counts: it is what the merchant chose. Null where none is. */
export const readProductChoice = ({ product_handle: handle, product_id: id }: Choice): Named | null =>
  isGiven(handle) ? { handle } : id ? { id } : null
