/** What is said of product families and products. */
import { productShape } from '../../views/product.ts'
import { productFamilyShape } from '../../views/product-family.ts'
import { productFamilyInput } from '../product-families.ts'
import { productChangeInput, productInput, trialInput } from '../product-input.ts'
import { about, many, one, sent } from './description.ts'
import { dated, filteredById, flag, needed, paged } from './parameters.ts'

const family = one('product_family', productFamilyShape)
const product = one('product', productShape)
const products = many('products', 'product', productShape)
const handle = [needed('handle', 'The handle.')]
const archivedToo = flag('include_archived', 'Shows archived ones too.')

export const catalogDescriptions = about('Catalog', {
  'GET /product_families': {
    id: 'listProductFamilies',
    summary: 'Lists the product families of the site.',
    query: [...paged(200), ...dated],
    answers: many('product_families', 'product_family', productFamilyShape),
  },
  'POST /product_families': {
    id: 'createProductFamily',
    summary: 'Creates a product family.',
    input: sent('product_family', productFamilyInput),
    answers: one('product_family', productFamilyShape, 201),
  },
  'GET /product_families/lookup': {
    id: 'lookUpProductFamily',
    summary: 'Finds a product family by its handle.',
    query: handle,
    refuses: [404],
    answers: family,
  },
  'GET /product_families/:product_family_id': {
    id: 'readProductFamily',
    summary: 'Shows one product family.',
    answers: family,
  },
  'GET /product_families/:product_family_id/products': {
    id: 'listProductsOfFamily',
    summary: 'Lists the products of a family.',
    query: [...paged(), archivedToo, filteredById, ...dated],
    answers: products,
  },
  'POST /product_families/:product_family_id/products': {
    id: 'createProduct',
    summary: 'Creates a product in a family.',
    input: sent('product', [productInput, trialInput]),
    answers: one('product', productShape, 201),
  },
  'GET /products': {
    id: 'listProducts',
    summary: 'Lists the products of the site.',
    query: [...paged(), archivedToo, filteredById, ...dated],
    answers: products,
  },
  'GET /products/lookup': {
    id: 'lookUpProduct',
    summary: 'Finds a product by its handle.',
    query: handle,
    refuses: [404],
    answers: product,
  },
  'GET /products/handle/:handle': {
    id: 'readProductByHandle',
    summary: 'Shows the product with this handle.',
    answers: product,
  },
  'GET /products/:product_id': { id: 'readProduct', summary: 'Shows one product.', answers: product },
  'PUT /products/:product_id': {
    id: 'updateProduct',
    summary: 'Changes a product; new terms are a new version, and subscriptions keep theirs.',
    input: sent('product', [productChangeInput, trialInput]),
    answers: product,
  },
  'DELETE /products/:product_id': {
    id: 'archiveProduct',
    summary: 'Archives a product: nobody new can subscribe to it.',
    answers: product,
  },
})
