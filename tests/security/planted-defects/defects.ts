/** One change of one file: `find` occurs in it exactly once. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly plant: string;
}

/** A test by its file and the beginning or a part of its name. */
export interface Check {
  /** `types`: the compiler must object in the file. */
  readonly runner: 'vitest' | 'types';
  readonly file: string;
  readonly name: string;
}

export interface Defect {
  readonly name: string;
  readonly edits: readonly Edit[];
  /** Each of these must fail while the defect is there. */
  readonly checks: readonly Check[];
}

const unit = (file: string, name: string): Check => ({ runner: 'vitest', file, name });
const types = (file: string): Check => ({ runner: 'types', file, name: 'types' });

const wideUmask: Edit = {
  file: 'electron/entries/main.ts',
  find: 'process.umask(0o077)',
  plant: 'process.umask(0o022)',
};
const dispatcherTrusts: Edit = {
  file: 'electron/ipc/dispatch.ts',
  find: "    if (!isTrusted(sender)) return refuse('untrusted');\n",
  plant: '',
};

/** The ten defects that the checks of docs/safety.md must find. */
export const defects: readonly Defect[] = [
  {
    name: 'a key in a log',
    edits: [
      {
        file: 'electron/platform/node/json-log.ts',
        find: "line[name] = isSafe(value) ? value.slice(0, maxTextLength) : '[unsafe]';",
        plant: 'line[name] = value;',
      },
    ],
    checks: [
      unit('electron/platform/node/own-files.test.ts', 'holds the listed fields and nothing else'),
      unit('tests/keychain/no-key-in-files.test.ts', 'is in no file'),
    ],
  },
  {
    name: 'a path in a message',
    edits: [
      {
        file: 'electron/services/intake/intake.ts',
        find: 'fileTokens.issue(windowId, path), name, jobId })',
        plant: 'fileTokens.issue(windowId, path), name: `${path}${name.slice(0, 0)}`, jobId })',
      },
      {
        file: 'electron/services/intake/intake.ts',
        find: 'readonly repeated: readonly { readonly token: string;',
        plant: 'readonly repeated: readonly { readonly path?: string; readonly token: string;',
      },
    ],
    checks: [types('tests/security/contract-fields.test.ts')],
  },
  {
    name: 'a missing sender check',
    edits: [dispatcherTrusts],
    checks: [
      unit('tests/security/sender-and-payload-fuzz.test.ts', 'P-01'),
      unit('tests/integration/dispatch.test.ts', 'another window'),
    ],
  },
  {
    name: 'a redirect that is followed',
    edits: [
      {
        file: 'electron/service/transport-undici.ts',
        find: "import { Agent, buildConnector, type Dispatcher } from 'undici';",
        plant: "import { Agent, buildConnector, interceptors, type Dispatcher } from 'undici';",
      },
      {
        file: 'electron/service/transport-undici.ts',
        find: 'agent.dispatch(',
        plant: 'agent.compose(interceptors.redirect({ maxRedirections: 3 })).dispatch(',
      },
    ],
    checks: [unit('tests/contract/answers.test.ts', 'is not followed and no header reaches')],
  },
  {
    name: 'inline scripts allowed',
    edits: [
      {
        file: 'electron/shell/security/csp.ts',
        find: "`script-src 'self'`",
        plant: "`script-src 'self' 'unsafe-inline'`",
      },
    ],
    checks: [unit('electron/shell/security/scheme-answer.test.ts', 'comes with the policy of the rules')],
  },
  {
    name: 'a file of mode 644',
    edits: [
      wideUmask,
      {
        file: 'electron/platform/node/json-log.ts',
        find: '{ mode: 0o600 }',
        plant: '{ mode: 0o644 }',
      },
    ],
    checks: [
      unit('electron/platform/node/own-files.test.ts', 'is readable by its owner only and starts anew'),
      unit('tests/security/source-rules.test.ts', 'the hunt for them sees what it looks for'),
    ],
  },
  {
    name: 'a secret among the arguments of a program',
    edits: [
      {
        file: 'electron/platform/keychain/keytar-store.ts',
        find: 'import {\n  Secret,\n',
        plant: "import { execFile } from 'node:child_process';\nimport {\n  Secret,\n",
      },
      {
        file: 'electron/platform/keychain/keytar-store.ts',
        find: 'await call((api) => api.setPassword(service, account, secret.reveal()));',
        plant:
          "execFile('true', ['--password', secret.reveal()], () => undefined);\n        await call((api) => api.setPassword(service, account, secret.reveal()));",
      },
    ],
    checks: [unit('tests/security/child-processes.test.ts', 'a child is started for the practice service')],
  },
  {
    name: 'window.open allowed',
    edits: [{ file: 'electron/shell/security/permissions.ts', find: "action: 'deny'", plant: "action: 'allow'" }],
    checks: [unit('tests/security/navigation-guard.test.ts', 'a new window is denied')],
  },
  {
    name: 'a missing permission handler',
    edits: [
      {
        file: 'electron/shell/security/permissions.ts',
        find: 'session.setPermissionRequestHandler(',
        plant: 'void (',
      },
      {
        file: 'electron/shell/security/permissions.ts',
        find: 'session.setPermissionCheckHandler(',
        plant: 'void (',
      },
    ],
    checks: [unit('electron/shell/security/permissions.test.ts', 'request and check handlers both answer')],
  },
  {
    name: 'a policy header that was dropped',
    edits: [
      {
        file: 'electron/shell/security/scheme-answer.ts',
        find: "  'content-security-policy': isWorkerScript(path) ? workerPolicy : pagePolicy(nonce),\n",
        plant: '',
      },
    ],
    checks: [unit('electron/shell/security/scheme-answer.test.ts', 'comes with the policy of the rules')],
  },
];
