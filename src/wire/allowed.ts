/** Which methods a path is served with, asked only where a request's own is not among them. */

import { METHODS } from 'node:http'
import type { RawRequest } from './opening.ts'
import type { Method, Route } from './request.ts'

type Served = Pick<Route, 'method' | 'path'>

const known: ReadonlySet<string> = new Set(METHODS)

/** No route is ever served with it; routers that stumble over a method unknown to Node find nothing for it. */
const standIn = 'TRACE'

/** Over HTTP/1.1 Node's parser has refused what is no method; over HTTP/2 any word may come. */
export const servedMethod = (method: string): string => (known.has(method) && method !== 'CONNECT' ? method : standIn)

/** Whether the word that was sent as the method is none that HTTP has. The raw headers still hold it when another took its place. */
export const isUnknownMethod = ({ httpVersionMajor, rawHeaders }: RawRequest): boolean => {
  if (httpVersionMajor === 1) return false
  const sent = rawHeaders[rawHeaders.indexOf(':method') + 1]
  return sent === undefined || !known.has(sent)
}

const also: { readonly [method in Method]: readonly string[] } = {
  GET: ['GET', 'HEAD'],
  POST: ['POST'],
  PUT: ['PUT', 'PATCH'],
  DELETE: ['DELETE'],
}

const isSamePath = (pattern: string, path: readonly string[]): boolean => {
  const segments = pattern.split('/')
  return (
    segments.length === path.length &&
    segments.every((segment, index) => segment.startsWith(':') || segment === path[index])
  )
}

/** The methods of a path without its suffix; empty where no route has the path. */
export const methodsOf = (routes: readonly Served[], path: string): string[] => {
  const segments = path.split('/')
  const found = routes.filter((route) => isSamePath(route.path, segments)).flatMap(({ method }) => also[method])
  return [...new Set(found)]
}
