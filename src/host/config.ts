/** What the operator may set: the only reader of the environment, checked once and frozen. */

import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { isApiKey } from './secrets.ts'
import { SetupProblem } from './setup-problem.ts'

export type Config = Readonly<{
  /** Address to listen on. */
  host: string
  /** HTTPS port; 0 takes any free one. */
  port: number
  /** Absolute path of the directory that holds the embedded database, TLS material and the development outbox. */
  dataDir: string
  /** PostgreSQL to use; undefined means the embedded one in `dataDir`. */
  databaseUrl: string | undefined
  /** What secrets in the database are sealed with, the newest first; none means the secret that is kept in `dataDir`. */
  secretKeys: readonly string[]
  /** Certificate and key to serve, absolute paths; both or neither. */
  tlsCertFile: string | undefined
  tlsKeyFile: string | undefined
  siteSubdomain: string
  apiKey: string | undefined
  demoData: boolean
  webhookAllowPrivate: boolean
  /** Webhooks that are over are forgotten after so many days. */
  webhookKeepDays: number
  /** Where letters go: smtp:// or smtps://; undefined means the outbox in `dataDir`. */
  smtpUrl: string | undefined
  /** Who letters are from where a site has not said so. */
  mailFrom: string
  /** Where customers reach the service, without a slash at the end; undefined means this machine. */
  publicUrl: string | undefined
  /** Where operators read the service's numbers over plain HTTP; undefined is nowhere. */
  metricsPort: number | undefined
  metricsHost: string
  logLevel: LogLevel
  /** Where a crash test stops this process; undefined in service. */
  failPoint: string | undefined
}>

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const
export type LogLevel = (typeof logLevels)[number]

/** Throws a SetupProblem with one sentence for each variable that cannot be used; values that may be secret are not repeated. */
export const readConfig = (env: Record<string, string | undefined> = process.env): Config => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const parsed = variables.safeParse(given)
  if (!parsed.success) throw new SetupProblem(parsed.error.issues.map((issue) => issue.message).join('\n'))
  const read = parsed.data
  return Object.freeze({
    host: read.HOST,
    port: read.PORT,
    dataDir: absolute(read.DATA_DIR),
    databaseUrl: read.DATABASE_URL,
    secretKeys: read.SECRET_KEY,
    tlsCertFile: read.TLS_CERT_FILE && absolute(read.TLS_CERT_FILE),
    tlsKeyFile: read.TLS_KEY_FILE && absolute(read.TLS_KEY_FILE),
    siteSubdomain: read.SITE_SUBDOMAIN,
    apiKey: read.API_KEY,
    demoData: read.DEMO_DATA,
    webhookAllowPrivate: read.WEBHOOK_ALLOW_PRIVATE,
    webhookKeepDays: read.WEBHOOK_KEEP_DAYS,
    smtpUrl: read.SMTP_URL,
    mailFrom: read.MAIL_FROM,
    publicUrl: read.PUBLIC_URL,
    metricsPort: read.METRICS_PORT,
    metricsHost: read.METRICS_HOST,
    logLevel: read.LOG_LEVEL,
    failPoint: read.KALENDS_FAIL_POINT,
  })
}

const absolute = (path: string): string => (isAbsolute(path) ? path : resolve(path))

const flag = (name: string, fallback: '0' | '1') =>
  z
    .enum(['0', '1'], { error: `${name} must be 0 or 1.` })
    .default(fallback)
    .transform((value) => value === '1')

const port = (name: string) =>
  z
    .string()
    .regex(/^\d{1,5}$/, `${name} must be a whole number from 0 to 65535.`)
    .transform(Number)
    .refine((value) => value <= 65535, `${name} must be a whole number from 0 to 65535.`)

const days = (name: string, min: number, max: number) => {
  const problem = `${name} must be a whole number of days from ${min} to ${max}.`
  return z
    .string()
    .regex(/^\d{1,5}$/, problem)
    .transform(Number)
    .refine((value) => value >= min && value <= max, problem)
}

const listenedTo = (name: string) =>
  z
    .string()
    .regex(/^[0-9A-Za-z.:_-]+$/, `${name} must be an IP address or a host name.`)
    .default('127.0.0.1')

const variables = z
  .object({
    HOST: listenedTo('HOST'),
    PORT: port('PORT').default(8443),
    METRICS_PORT: port('METRICS_PORT').optional(),
    METRICS_HOST: listenedTo('METRICS_HOST'),
    DATA_DIR: z.string().default('./data'),
    DATABASE_URL: z
      .string()
      .regex(/^postgres(ql)?:\/\/\S+$/, 'DATABASE_URL must begin with postgres:// or postgresql:// and hold no spaces.')
      .optional(),
    SECRET_KEY: z
      .string()
      .regex(
        /^[^\s,]{32,512}(,[^\s,]{32,512})*$/,
        'SECRET_KEY must be 32 to 512 characters without spaces; older keys may follow, separated by commas.',
      )
      .transform((keys) => keys.split(','))
      .default([]),
    TLS_CERT_FILE: z.string().optional(),
    TLS_KEY_FILE: z.string().optional(),
    SITE_SUBDOMAIN: z
      .string()
      .regex(
        /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/,
        'SITE_SUBDOMAIN must be 1 to 63 lower-case letters, digits or dashes, with no dash at either end.',
      )
      .default('acme'),
    API_KEY: z
      .string()
      .refine(isApiKey, 'API_KEY must be 1 to 255 printable ASCII characters without spaces or colons.')
      .optional(),
    DEMO_DATA: flag('DEMO_DATA', '1'),
    WEBHOOK_ALLOW_PRIVATE: flag('WEBHOOK_ALLOW_PRIVATE', '0'),
    WEBHOOK_KEEP_DAYS: days('WEBHOOK_KEEP_DAYS', 7, 3650).default(90),
    SMTP_URL: z
      .string()
      .regex(/^smtps?:\/\/\S+$/, 'SMTP_URL must begin with smtp:// or smtps:// and hold no spaces.')
      .optional(),
    MAIL_FROM: z
      .string()
      .regex(/^[^\s@<>]+@[^\s@<>]+$/, 'MAIL_FROM must be an e-mail address.')
      .default('billing@localhost'),
    PUBLIC_URL: z
      .string()
      .regex(
        /^https:\/\/[^\s/?#]+\/?$/,
        'PUBLIC_URL must be https:// and a host name, with a port where it is not 443.',
      )
      .transform((url) => url.replace(/\/$/, ''))
      .optional(),
    KALENDS_FAIL_POINT: z.string().optional(),
    LOG_LEVEL: z.enum(logLevels, { error: `LOG_LEVEL must be one of ${logLevels.join(', ')}.` }).default('info'),
  })
  .refine(
    (read) => (read.TLS_CERT_FILE === undefined) === (read.TLS_KEY_FILE === undefined),
    'TLS_CERT_FILE and TLS_KEY_FILE must be given together.',
  )
