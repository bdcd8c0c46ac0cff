/** What is said of the default price points of products and components. */
import { componentPricePointShape, productPricePointShape } from '../../views/price-point.ts'
import { about, type Descriptions, listUnder, one } from './description.ts'
import { dated, filteredById, paged } from './parameters.ts'

const query = [...paged(), filteredById, ...dated]
const ofComponents = listUnder('price_points', 'price_point', componentPricePointShape)
const ofProducts = listUnder('price_points', 'price_point', productPricePointShape)

export const pricePointDescriptions: Descriptions = {
  ...about('Components', {
    'GET /components_price_points': {
      id: 'listComponentPricePoints',
      summary: 'Lists the price point of each component.',
      query,
      answers: ofComponents,
    },
    'GET /components/:component_id/price_points': {
      id: 'listPricePointsOfComponent',
      summary: 'Lists the price points of a component, of which there is one.',
      query: paged(),
      answers: ofComponents,
    },
    'GET /components/:component_id/price_points/:price_point_id': {
      id: 'readComponentPricePoint',
      summary: 'Shows the price point of a component: what the catalog has for its price.',
      answers: one('price_point', componentPricePointShape),
    },
  }),
  ...about('Catalog', {
    'GET /products_price_points': {
      id: 'listProductPricePoints',
      summary: 'Lists the price point of each product.',
      query,
      answers: ofProducts,
    },
    'GET /products/:product_id/price_points': {
      id: 'listPricePointsOfProduct',
      summary: 'Lists the price points of a product, of which there is one.',
      query: paged(),
      answers: ofProducts,
    },
    'GET /products/:product_id/price_points/:price_point_id': {
      id: 'readProductPricePoint',
      summary: 'Shows the price point of a product: the terms on which it is sold now.',
      answers: one('price_point', productPricePointShape),
    },
  }),
}
