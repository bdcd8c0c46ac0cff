/** The official SDKs of other languages, put in a cache of their own at pinned versions; what cannot be had is said, with the reason. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

export type Installed = {
  language: string
  /** What starts the driver. */
  command: readonly string[]
  environment: Record<string, string>
}
/** Why there is no such SDK on this machine. */
export type Missing = { language: string; missing: string }

const here = import.meta.dirname
const nodeModules = join(here, '../../node_modules')

/** Beside the packages of npm, where this user may write; else a directory of the user's own that lasts as long as the system keeps it. */
function cacheDirectory(): string {
  const user = process.getuid?.() ?? 0
  for (const wanted of [join(nodeModules, '.cache/conformance'), join(tmpdir(), `kalends-conformance-${user}`)]) {
    try {
      mkdirSync(wanted, { recursive: true, mode: 0o700 })
      accessSync(wanted, constants.W_OK)
      if (statSync(wanted).uid === user) return wanted
    } catch {
      // The next one.
    }
  }
  return mkdtempSync(join(tmpdir(), 'kalends-conformance-'))
}

const minutes = 60_000

/** What it complained of first, where it failed. */
function failureOf(command: string, words: readonly string[], directory = here): string | undefined {
  const { status, error, stderr, stdout } = spawnSync(command, words, {
    cwd: directory,
    encoding: 'utf8',
    timeout: 8 * minutes,
  })
  if (error !== undefined) return `${command}: ${error.message}`
  if (status === 0) return undefined
  const said = stripVTControlCharacters(`${stdout}\n${stderr}`)
    .split('\n')
    .filter((line) => line.trim() !== '')
  return `${command}: ${said.find((line) => line.includes('ERROR')) ?? said.at(-1) ?? `ended with ${status}`}`
}

/** Made once for each version of the runtime and content of the files that pin the rest; nothing half made is ever found. */
function installOnce(
  language: string,
  runtime: string,
  files: readonly string[],
  install: (directory: string) => string | undefined,
): string | Missing {
  const version = spawnSync(runtime, ['--version'], { encoding: 'utf8' }).stdout
  const content = version + files.map((file) => readFileSync(join(here, file), 'utf8')).join('')
  const name = `${language}-${createHash('sha256').update(content).digest('hex').slice(0, 16)}`
  const cache = cacheDirectory()
  const directory = join(cache, name)
  if (existsSync(directory)) return directory
  const draft = mkdtempSync(join(cache, 'draft-'))
  const failure = install(draft)
  if (failure === undefined && !existsSync(directory)) renameSync(draft, directory)
  rmSync(draft, { recursive: true, force: true })
  return failure === undefined ? directory : { language, missing: failure }
}

export function installPython(): Installed | Missing {
  const language = 'Python'
  if (failureOf('python3', ['-m', 'pip', '--version']) !== undefined) {
    return { language, missing: 'there is no python3 with pip' }
  }
  const requirements = 'python/requirements.txt'
  const quietly = ['--quiet', '--disable-pip-version-check', '--no-warn-script-location', '--root-user-action=ignore']
  const pinned = ['--no-deps', '--require-hashes', '-r', requirements]
  const found = installOnce(language, 'python3', [requirements], (directory) =>
    failureOf('python3', ['-m', 'pip', 'install', ...quietly, ...pinned, '--target', directory]),
  )
  if (typeof found !== 'string') return found
  const command = ['python3', '-B', join(here, 'python/driver.py')]
  return { language, command, environment: { PYTHONPATH: found } }
}

const dependencyPlugin = 'org.apache.maven.plugins:maven-dependency-plugin:3.6.1'

export function installJava(): Installed | Missing {
  const language = 'Java'
  if (failureOf('javac', ['-version']) !== undefined) return { language, missing: 'there is no JDK' }
  const files = ['java/pom.xml', 'java/Driver.java']
  const found = installOnce(language, 'javac', files, (directory) => {
    const repository = `-Dmaven.repo.local=${join(directory, '..', 'maven')}`
    const words = [`${dependencyPlugin}:copy-dependencies`, `-DoutputDirectory=${join(directory, 'jars')}`]
    const quietly = ['-q', '-B', '--strict-checksums', repository, '-f', join(here, 'java/pom.xml')]
    return (
      failureOf('mvn', [...quietly, ...words]) ??
      failureOf('javac', ['-cp', `${directory}/jars/*`, '-d', directory, join(here, 'java/Driver.java')])
    )
  })
  if (typeof found !== 'string') return found
  const command = ['java', '-XX:TieredStopAtLevel=1', '-cp', `${found}:${found}/jars/*`, 'Driver']
  return { language, command, environment: {} }
}
