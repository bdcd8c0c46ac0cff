/** One certificate for all tests of a process. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tlsMaterial } from '../../src/host/tls.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'kalends-test-tls-'))

export const testTls = await tlsMaterial({
  dataDir,
  siteSubdomain: 'acme',
  tlsCertFile: undefined,
  tlsKeyFile: undefined,
})

rmSync(dataDir, { recursive: true })
