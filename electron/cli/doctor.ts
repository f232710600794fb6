import { explainBeforeSending, mapOfList, type Product } from '../../shared/domain/permissions/permission-map.ts';
import type { Failure } from '../../shared/result/failure.ts';
import type { ConnectionReport } from '../service/connection-check.ts';
import type { SecretRead } from '../services/secrets/key-service.ts';
import type { ModelFinding } from './local.ts';
import type { Reporter } from './reporter.ts';
import { resolve } from 'node:path';
import { filePort } from '../platform/node/export-disk.ts';
import { diagnosticsName } from '../services/diagnostics/write-diagnostics.ts';
import { rm } from 'node:fs/promises';
import type { DiagnosticsCommand } from './options.ts';
import { placeFile, refuseTaken, unfinishedBeside } from '../platform/node/place-file.ts';

/** The findings of the checks; none of them is a secret. */
export interface Findings {
  readonly address: {
    readonly state: 'ok' | 'missing' | 'bad';
    readonly shown: string;
    readonly from: 'environment' | 'settings';
  };
  readonly key: {
    readonly state: 'present' | 'unfit' | 'none';
    readonly from: 'environment' | 'keychain';
    readonly suffix: string;
  };
  readonly keychain: SecretRead['state'];
  readonly report: ConnectionReport | null;
  readonly folder: {
    readonly path: string;
    readonly state: 'ok' | 'new' | 'not-writable' | 'open-to-others';
    readonly freeBytes: number | null;
    readonly isInUse: boolean;
  };
  readonly ledger: Failure | null;
  readonly models: readonly { readonly label: string; readonly findings: readonly ModelFinding[] }[];
}

type State = 'ok' | 'warn' | 'bad' | 'unknown';

interface Check {
  readonly check: string;
  readonly state: State;
  readonly text: string;
  readonly advice: string | null;
}

const marks: Readonly<Record<State, string>> = { ok: '✓', warn: '!', bad: '✗', unknown: '?' };
const littleSpace = 500 * 1024 * 1024;
/** Clocks that differ more than this make signed things fail. */
const mostOffsetMs = 120_000;

export function printFindings(findings: Findings, reporter: Reporter): boolean {
  const checks = judge(findings, reporter);
  reporter.json({ checks, error: null });
  for (const { check, state, text, advice } of checks) {
    reporter.line(`${marks[state]} ${reporter.words(`cli.doctor.checks.${check}`)}: ${text}`);
    if (advice !== null) reporter.line(`    ${advice}`);
  }
  const bad = checks.filter(({ state }) => state === 'bad').length;
  reporter.line(reporter.words(bad === 0 ? 'cli.doctor.allWell' : 'cli.doctor.troubles', { count: bad }));
  return bad === 0;
}

function judge(findings: Findings, reporter: Reporter): readonly Check[] {
  const say = (key: string, values: Readonly<Record<string, string | number>> = {}) =>
    reporter.words(`cli.doctor.${key}`, values);
  return [
    addressCheck(findings, say, reporter),
    keyCheck(findings, say, reporter),
    ...productChecks(findings, say, reporter),
    clockCheck(findings, say),
    keychainCheck(findings, say),
    folderCheck(findings, say),
    ledgerCheck(findings, say, reporter),
    ...modelChecks(findings, say, reporter),
  ];
}

type Say = (key: string, values?: Readonly<Record<string, string | number>>) => string;

const check = (name: string, state: State, text: string, advice: string | null = null): Check => ({
  check: name,
  state,
  text,
  advice,
});

function addressCheck({ address, report }: Findings, say: Say, reporter: Reporter): Check {
  if (address.state !== 'ok') return check('address', 'bad', say(`address.${address.state}`), say('address.advice'));
  const where = { address: address.shown };
  if (report?.service === 'reached') return check('address', 'ok', say('address.reached', where));
  const why = report?.failure ? reporter.explain(report.failure) : say('address.advice');
  return check('address', 'bad', say(`address.${report?.service ?? 'not-reached'}`, where), why);
}

function keyCheck({ key, report }: Findings, say: Say, reporter: Reporter): Check {
  if (key.state !== 'present') return check('key', 'bad', say(`key.${key.state}`), say('key.advice'));
  const values = { suffix: key.suffix, from: say(`from.${key.from}`) };
  switch (report?.key) {
    case 'accepted':
      return check('key', 'ok', say('key.accepted', values));
    case 'refused': {
      const why = report.failure === null ? say('key.advice') : reporter.explain(report.failure);
      return check('key', 'bad', say('key.refused', values), why);
    }
    case 'legacy-generation':
      return check('key', 'bad', say('key.legacy', values), say('key.legacyAdvice'));
    case 'missing':
    case 'not-checked':
    case undefined:
      return check('key', 'unknown', say('key.unchecked', values));
  }
}

function productChecks({ report }: Findings, say: Say, reporter: Reporter): readonly Check[] {
  if (report?.key !== 'accepted') return [check('products', 'unknown', say('products.unasked'))];
  const map = mapOfList(report.products);
  return report.products.map(({ product, access }) => {
    const name = say(`products.names.${product}`);
    const failure = explainBeforeSending(map, product as Product);
    if (failure !== null) return check('products', 'warn', say('products.denied', { name }), reporter.explain(failure));
    return check('products', access === 'allowed' ? 'ok' : 'unknown', say(`products.${access}`, { name }));
  });
}

function clockCheck({ report }: Findings, say: Say): Check {
  const offsetMs = report?.clockOffsetMs ?? null;
  if (offsetMs === null) return check('clock', 'unknown', say('clock.unknown'));
  const seconds = Math.round(Math.abs(offsetMs) / 1000);
  return Math.abs(offsetMs) <= mostOffsetMs
    ? check('clock', 'ok', say('clock.ok', { seconds }))
    : check('clock', 'bad', say(offsetMs > 0 ? 'clock.late' : 'clock.early', { seconds }), say('clock.advice'));
}

function keychainCheck({ keychain, key }: Findings, say: Say): Check {
  if (keychain === 'present' || keychain === 'absent') return check('keychain', 'ok', say(`keychain.${keychain}`));
  // With a key in the environment this run does not need the keychain.
  const state = key.from === 'environment' && key.state === 'present' ? 'warn' : 'bad';
  return check(
    'keychain',
    state,
    say(`keychain.${keychain}`),
    say(state === 'warn' ? 'keychain.notNeeded' : 'keychain.advice'),
  );
}

function folderCheck({ folder }: Findings, say: Say): Check {
  const where = { folder: folder.path };
  if (folder.state === 'not-writable')
    return check('folder', 'bad', say('folder.not-writable', where), say('folder.advice'));
  if (folder.state === 'open-to-others')
    return check('folder', 'warn', say('folder.open-to-others', where), say('folder.othersAdvice'));
  const free = folder.freeBytes === null ? '' : say('folder.free', { mb: Math.floor(folder.freeBytes / 1e6) });
  const text = [say(`folder.${folder.state}`, where), free, folder.isInUse ? say('folder.inUse') : '']
    .filter((part) => part !== '')
    .join(' ');
  const isShort = folder.freeBytes !== null && folder.freeBytes < littleSpace;
  return check('folder', isShort ? 'warn' : 'ok', text, isShort ? say('folder.spaceAdvice') : null);
}

const ledgerCheck = ({ ledger }: Findings, say: Say, reporter: Reporter): Check =>
  ledger === null
    ? check('ledger', 'ok', say('ledger.ok'))
    : check('ledger', 'bad', say('ledger.bad'), reporter.explain(ledger));

function modelChecks({ models }: Findings, say: Say, reporter: Reporter): readonly Check[] {
  if (models.length === 0) return [check('models', 'ok', say('models.none'))];
  return models.map(({ label, findings }) => {
    const lines = findings.flatMap((finding): string[] => {
      switch (finding.kind) {
        case 'file':
          return [`${finding.name} ${finding.bytes} ${finding.sha256}`];
        case 'network':
          return [finding.shapes];
        case 'heard': {
          const { language, text, factor } = finding;
          return [reporter.words('cli.local.heard', { language, factor: factor.toFixed(1) }), text];
        }
        case 'unusable':
          return [reporter.words('cli.local.unusable', { code: finding.code, detail: finding.detail })];
      }
    });
    const isUsable = !findings.some(({ kind }) => kind === 'unusable');
    return check('models', isUsable ? 'ok' : 'bad', label, lines.join('\n    '));
  });
}

export interface DiagnosticsSource {
  collectDiagnostics(): Promise<string>;
}

export async function saveDiagnostics(
  source: DiagnosticsSource,
  command: DiagnosticsCommand,
  reporter: Reporter,
): Promise<boolean> {
  const target = resolve(command.out ?? diagnosticsName(Date.now()));
  const isFree = command.out === null ? null : await refuseTaken(target, command.overwrites);
  if (isFree?.ok === false) {
    reporter.failure(isFree.error, [reporter.words('cli.force')]);
    return false;
  }
  const unfinished = unfinishedBeside(target);
  try {
    const written = await filePort.writeWhole(unfinished, await source.collectDiagnostics());
    const placed = written.ok ? await placeFile(unfinished, target, command.overwrites) : written;
    if (!placed.ok) {
      reporter.failure(placed.error);
      return false;
    }
    reporter.json({ file: placed.value, error: null });
    reporter.line(reporter.words('cli.diagnostics.done', { file: placed.value }));
    return true;
  } finally {
    await rm(unfinished, { force: true });
  }
}
