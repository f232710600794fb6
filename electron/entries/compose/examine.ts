import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, rmSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openServiceCore } from '../../api/http/service-core.ts';
import { checkConnection } from '../../api/resources/connection-check.ts';
import { checkModel, type CheckParts, type ModelFinding } from '../../cli/check-model.ts';
import type { Findings } from '../../cli/doctor.ts';
import { keptModel, modelInFolder } from '../../recogniser/find-model.ts';
import { createModelStore } from '../../recogniser/model-store.ts';
import { speechLanguages } from '../../../shared/domain/languages.ts';
import { createKeytarStore } from '../../platform/keychain/keytar-store.ts';
import { isLibraryLocked } from '../../storage/library-lock.ts';
import { libraryRootOf } from '../../storage/library-location.ts';
import { openLedger } from '../../storage/open-ledger.ts';
import { readServiceAddress } from '../../services/connection/service-address.ts';
import type { Secret } from '../../secret/secret.ts';
import { keyAccount } from '../../services/secrets/key-service.ts';
import { readCorrections } from '../../workspace/read-corrections.ts';
import { terminalProxy, type TerminalParts } from './terminal-connection.ts';

/** Checks address, key, keychain, folder, ledger and corrections. Changes nothing and uses free reads only. */
export async function examine(parts: TerminalParts, signal: AbortSignal): Promise<Omit<Findings, 'models'>> {
  const { folder, environment, isPackaged } = parts;
  const typed = environment.serviceUrl ?? savedAddress(parts);
  const address = readServiceAddress(typed, !isPackaged);
  const keychain = await createKeytarStore().read(keyAccount);
  const key = environment.apiKey ?? (keychain.state === 'present' ? keychain.secret : null);
  const isFit = key?.fitsHeader ?? false;
  const corrections = readCorrections(folder.root);
  const report = address.ok ? await checkOnce(parts, address.value, isFit ? key : null, signal) : null;
  return {
    address: {
      state: address.ok ? 'ok' : typed === '' ? 'missing' : 'bad',
      shown: address.ok ? address.value : '',
      from: environment.serviceUrl === null ? 'settings' : 'environment',
    },
    key: {
      state: key === null ? 'none' : isFit ? 'present' : 'unfit',
      from: environment.apiKey === null ? 'keychain' : 'environment',
      suffix: key?.maskedSuffix ?? '',
    },
    keychain: keychain.state,
    report,
    folder: await examineFolder(libraryRootOf(folder.root)),
    ledger: ledgerTrouble(libraryRootOf(folder.root)),
    corrections,
  };
}

/** Checks the models that are here by their files and by what each hears in a recording of its first language. */
export async function examineModels(parts: TerminalParts, check: CheckParts): Promise<Findings['models']> {
  const { folder, environment } = parts;
  const stored = await createModelStore({ folder: folder.models, proxyOf: terminalProxy(parts) }).list();
  const chosen = environment.localModel === null ? null : await modelInFolder(environment.localModel);
  const here = stored.flatMap(({ model, state }) => (state === 'here' ? [keptModel(folder.models, model)] : []));
  const models: { label: string; findings: ModelFinding[] }[] = [];
  for (const files of chosen === null ? here : [...here, chosen]) {
    const languages = (files.model?.languages ?? speechLanguages).slice(0, 1);
    const findings: ModelFinding[] = [];
    for await (const finding of checkModel(files, languages, check)) findings.push(finding);
    models.push({ label: files.label, findings });
  }
  return models;
}

async function checkOnce(parts: TerminalParts, baseUrl: string, key: Secret | null, signal: AbortSignal) {
  const { wire } = readCorrections(parts.folder.root);
  const core = openServiceCore({
    connection: () => null,
    log: parts.log,
    allowsLoopbackHttp: !parts.isPackaged,
    wire,
    proxyOf: terminalProxy(parts),
  });
  try {
    return await checkConnection(core, { kind: 'service', baseUrl, key, wire, signal });
  } finally {
    await core.close();
  }
}

/** Unreadable settings give no address; the check of the folder then reports the trouble. */
function savedAddress({ settings }: TerminalParts): string {
  try {
    return settings().serviceAddress;
  } catch {
    return '';
  }
}

async function examineFolder(root: string): Promise<Findings['folder']> {
  const isNew = !existsSync(root);
  const freeBytes = await statfs(isNew ? nearest(root) : root).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => null,
  );
  const found = { path: root, freeBytes, isInUse: !isNew && isLibraryLocked(root) };
  if (!canWrite(isNew ? nearest(root) : root)) return { ...found, state: 'not-writable' };
  if (isNew) return { ...found, state: 'new' };
  const isOpen = process.platform !== 'win32' && (statSync(root).mode & 0o077) !== 0;
  return { ...found, state: isOpen ? 'open-to-others' : 'ok' };
}

/** The nearest existing parent of a folder that does not exist yet. */
function nearest(path: string): string {
  const parent = dirname(path);
  return existsSync(path) || parent === path ? path : nearest(parent);
}

/** Tried by writing, because permissions alone don't show that a disk is read-only or full. */
function canWrite(folder: string): boolean {
  const probe = join(folder, `.${randomBytes(6).toString('hex')}.probe`);
  try {
    closeSync(openSync(probe, 'wx', 0o600));
    rmSync(probe);
    return true;
  } catch {
    return false;
  }
}

function ledgerTrouble(root: string): Findings['ledger'] {
  const path = join(root, 'ledger.db');
  if (!existsSync(path)) return null;
  const opened = openLedger({ path, now: () => Date.now(), onTrouble: () => undefined });
  if (!opened.ok) return opened.error;
  opened.value.close();
  return null;
}
