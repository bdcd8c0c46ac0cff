/** What is said of metafields and metadata, which customers and subscriptions have alike. */
import { type ResourceType, resourceTypes } from '../../billing/metafield.ts'
import { metadataShape, metafieldsShape } from '../../views/metadata.ts'
import type { JsonSchema } from '../../wire/input-schema.ts'
import type { List } from '../../wire/shape.ts'
import { metadatumInput, metafieldInput } from '../metadata-input.ts'
import { about, bareList, type Descriptions, type Reply, sentence, sentList } from './description.ts'
import { schemaOf } from './named-shapes.ts'
import { asked, direction, needed, paged } from './parameters.ts'
import { named } from './shape-schema.ts'

const figures = ['total_count', 'current_page', 'total_pages', 'per_page']

/** One page and how many there are in all; names have dashes in XML. */
function counted(name: string, shape: List): readonly Reply[] {
  const items: JsonSchema = { type: 'array', items: named(schemaOf(shape.list), shape.item), xml: { wrapped: true } }
  const schema: JsonSchema = {
    type: 'object',
    properties: {
      ...Object.fromEntries(figures.map((figure) => [figure, named({ type: 'integer' }, figure.replaceAll('_', '-'))])),
      [name]: items,
    },
    required: [...figures, name],
  }
  return [{ status: 200, json: schema, xml: named(schema, 'results') }]
}

const listed = (name: string, shape: List) => bareList(name, shape.item, shape.list)
const page = [...paged(), direction('asc')]
const metadata = sentList('metadata', 'metadatum', metadatumInput)
const metafields = sentList('metafields', 'metafield', metafieldInput)

const oneError: JsonSchema = { type: 'object', properties: { error: { type: 'string' } }, required: ['error'] }
const refused: Reply = {
  status: 422,
  description: 'The request was refused, in one sentence that says what is wrong.',
  json: oneError,
  xml: named(oneError, 'errors'),
}

const namesOf = (type: ResourceType) => ({
  plural: `${type}s`,
  name: type === 'customer' ? 'Customer' : 'Subscription',
})

function aboutFields(type: ResourceType): Descriptions {
  const { plural, name } = namesOf(type)
  const fields = `/${plural}/metafields`
  return about('Customers', {
    [`GET ${fields}`]: {
      id: `list${name}Metafields`,
      summary: `Lists the metafields of ${plural}.`,
      query: [...page, asked('name', 'Only the one of this name.')],
      answers: counted('metafields', metafieldsShape),
    },
    [`POST ${fields}`]: {
      id: `create${name}Metafields`,
      summary: `Adds metafields to ${plural}, and changes those that there are.`,
      input: metafields,
      answers: [...listed('metafields', metafieldsShape), refused],
    },
    [`PUT ${fields}`]: {
      id: `update${name}Metafields`,
      summary: `Changes metafields of ${plural}.`,
      input: metafields,
      answers: [...listed('metafields', metafieldsShape), refused],
    },
    [`DELETE ${fields}`]: {
      id: `delete${name}Metafield`,
      summary: `Deletes a metafield of ${plural} and every value in it.`,
      query: [needed('name', 'Its name.')],
      refuses: [404],
      answers: sentence('true'),
    },
  })
}

function aboutValues(type: ResourceType): Descriptions {
  const { plural, name } = namesOf(type)
  const one = `/${plural}/:${type}_id/metadata`
  return about('Customers', {
    [`GET /${plural}/metadata`]: {
      id: `list${name}Metadata`,
      summary: `Lists the metadata of all ${plural}, or of some.`,
      query: [
        ...page,
        asked('resource_ids[]', `Only of these ${plural}.`, { type: 'array', items: { type: 'integer' } }),
      ],
      answers: counted('metadata', metadataShape),
    },
    [`GET ${one}`]: {
      id: `read${name}Metadata`,
      summary: `Lists the metadata of a ${type}.`,
      query: page,
      answers: counted('metadata', metadataShape),
    },
    [`POST ${one}`]: {
      id: `create${name}Metadata`,
      summary: `Sets metadata of a ${type}; a metafield that does not exist is made.`,
      input: metadata,
      answers: [...listed('metadata', metadataShape), refused],
    },
    [`PUT ${one}`]: {
      id: `update${name}Metadata`,
      summary: `Sets metadata of a ${type}, or moves a value to another metafield.`,
      input: metadata,
      answers: [...listed('metadata', metadataShape), refused],
    },
    [`DELETE ${one}`]: {
      id: `delete${name}Metadata`,
      summary: `Deletes metadata of a ${type}.`,
      query: [
        asked('name', 'The name of the metafield.'),
        asked('names[]', 'Several of them.', { type: 'array', items: { type: 'string' } }),
      ],
      answers: sentence('true'),
    },
  })
}

export const metadataDescriptions: Descriptions = Object.assign(
  {},
  ...resourceTypes.flatMap((type) => [aboutFields(type), aboutValues(type)]),
)
