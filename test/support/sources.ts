/** Reads source files the way the compiler does, for tests that judge the code itself. */

import { dirname, join, relative } from 'node:path'
import { type ImportDeclaration, type Node, type SourceFile, SyntaxKind } from 'typescript/unstable/ast'
import { createVirtualFileSystem, type FileSystem } from 'typescript/unstable/fs'
import { API } from 'typescript/unstable/sync'

export type Source = {
  /** From the project's root: `src/billing/money.ts`. */
  path: string
  text: string
  imports: Import[]
  functions: { name: string; line: number; lines: number }[]
  /** The lines on which the type `any` stands. */
  anys: number[]
  /** Whether `async` or `await` stands anywhere in it. */
  waits: boolean
}

type Import = {
  /** A path from the root for files of ours, else the name of the package. */
  from: string
  /** The values that it names; types cost nothing at run time and are left out. A whole module is `*`. */
  values: string[]
}

/** The files of a project, and groups of files that exist only in the test, each group read as if it were a project too. */
export function readSources(
  root: string,
  groups: Record<string, string>[],
): { project: Source[]; snippets: Source[][] } {
  const homes = groups.map((_, index) => `/snippets/${index}`)
  const compiler = new API({ cwd: root, fs: withSnippets(homes, groups) })
  try {
    const { project: config, snippets } = { project: join(root, 'tsconfig.json'), snippets: '/snippets/tsconfig.json' }
    const snapshot = compiler.updateSnapshot({ openProjects: [config, snippets] })
    const read = (configFile: string, home: string): Source[] => {
      const program = snapshot.getProject(configFile)
      if (program === undefined) throw new Error(`${configFile} was not read`)
      return program.rootFiles
        .filter((file) => file.startsWith(`${home}/`))
        .map((file) => readSource(relative(home, file), program.program.getSourceFile(file)))
    }
    return { project: read(config, root), snippets: homes.map((home) => read(snippets, home)) }
  } finally {
    compiler.close()
  }
}

/** The disk, with the snippets laid over it. */
function withSnippets(homes: string[], groups: Record<string, string>[]): FileSystem {
  const config = JSON.stringify({ compilerOptions: { noLib: true, types: [] }, include: ['**/*.ts'] })
  const placed = groups.flatMap((files, index) =>
    Object.entries(files).map(([path, text]) => [`${homes[index]}/${path}`, text]),
  )
  const snippets = createVirtualFileSystem({ ...Object.fromEntries(placed), '/snippets/tsconfig.json': config })
  const over =
    <Answer>(ask: ((path: string) => Answer) | undefined) =>
    (path: string) =>
      path === '/snippets' || path.startsWith('/snippets/') ? ask?.(path) : undefined
  return {
    readFile: over(snippets.readFile),
    fileExists: over(snippets.fileExists),
    directoryExists: over(snippets.directoryExists),
    getAccessibleEntries: over(snippets.getAccessibleEntries),
    realpath: over(snippets.realpath),
  }
}

function readSource(path: string, file: SourceFile | undefined): Source {
  if (file === undefined) throw new Error(`${path} was not read`)
  const source: Source = { path, text: file.text, imports: [], functions: [], anys: [], waits: false }
  const visit = (node: Node, parent: Node) => {
    if (isImport(node)) source.imports.push(readImport(path, node))
    if (node.kind === SyntaxKind.AnyKeyword) source.anys.push(lineAt(file, node.getStart(file)))
    if (node.kind === SyntaxKind.AwaitExpression || node.kind === SyntaxKind.AsyncKeyword) source.waits = true
    if (functionKinds.has(node.kind) && !isSuite(parent, file)) {
      const line = lineAt(file, node.getStart(file))
      source.functions.push({ name: nameOf(node, parent, file), line, lines: lineAt(file, node.end) - line + 1 })
    }
    node.forEachChild((child) => visit(child, node))
  }
  file.forEachChild((node) => visit(node, file))
  return source
}

const functionKinds = new Set([
  SyntaxKind.FunctionDeclaration,
  SyntaxKind.FunctionExpression,
  SyntaxKind.ArrowFunction,
  SyntaxKind.MethodDeclaration,
  SyntaxKind.Constructor,
  SyntaxKind.GetAccessor,
  SyntaxKind.SetAccessor,
])

/** A `describe` holds tests as a file does; its length says nothing. */
const isSuite = (parent: Node, file: SourceFile): boolean =>
  parent.kind === SyntaxKind.CallExpression && /^(describe|suite)\b/.test(parent.getText(file))

const isImport = (node: Node): node is ImportDeclaration =>
  node.kind === SyntaxKind.ImportDeclaration || node.kind === SyntaxKind.ExportDeclaration

function readImport(path: string, node: ImportDeclaration): Import {
  const written = node.moduleSpecifier?.getText().slice(1, -1) ?? ''
  const from = written.startsWith('.') ? join(dirname(path), written) : written
  return { from, values: valuesOf(node.getText()) }
}

/** `import type` and `type` inside braces name no values. */
function valuesOf(declaration: string): string[] {
  if (/^(import|export)\s+type\b/.test(declaration)) return []
  const braces = /\{([^}]*)\}/.exec(declaration)?.[1]
  if (braces === undefined) return ['*']
  const names = braces.split(',').map((name) => name.trim())
  return names.filter((name) => name !== '' && !name.startsWith('type ')).map((name) => name.split(' ')[0] ?? name)
}

const lineAt = (file: SourceFile, position: number): number => file.text.slice(0, position).split('\n').length

const nameOf = (node: Node, parent: Node, file: SourceFile): string =>
  /^(?:export |default |async |static |const |function |get |set |readonly )*([#\w$]+)/.exec(
    (functionKinds.has(node.kind) && node.kind !== SyntaxKind.ArrowFunction ? node : parent).getText(file),
  )?.[1] ?? 'a function'
