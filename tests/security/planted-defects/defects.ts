/** One change of one file: `find` occurs in it exactly once. */
export interface Edit {
  readonly file: string;
  readonly find: string;
  readonly plant: string;
}

/** A test by its file and the beginning or a part of its name. */
export interface Check {
  readonly runner: 'vitest' | 'app';
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
const app = (file: string, name: string): Check => ({ runner: 'app', file: `tests/e2e/${file}.spec.ts`, name });

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
        file: 'shared/ipc/schemas.ts',
        find: 'repeated: z.array(z.object({ token: fileToken(),',
        plant: 'repeated: z.array(z.object({ path: z.string().optional(), token: fileToken(),',
      },
    ],
    checks: [
      unit('tests/security/contract-fields.test.ts', 'no answer and no event has a field for a path'),
      app('safety-journey', 'no path of this computer goes to a page'),
    ],
  },
  {
    name: 'a missing sender check',
    edits: [dispatcherTrusts],
    checks: [
      unit('tests/security/sender-and-payload-fuzz.test.ts', 'P-01'),
      unit('electron/ipc/dispatch.test.ts', 'another window'),
    ],
  },
  {
    name: 'a redirect that is followed',
    edits: [
      {
        file: 'electron/api/http/transport-undici.ts',
        find: "import { Agent, buildConnector, type Dispatcher } from 'undici';",
        plant: "import { Agent, buildConnector, interceptors, type Dispatcher } from 'undici';",
      },
      {
        file: 'electron/api/http/transport-undici.ts',
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
    checks: [
      unit('electron/shell/security/scheme-answer.test.ts', 'comes with the policy of the rules'),
      app('safety-escapes', 'in the real page each probe of 5.2'),
      app('safety-escapes', 'the policy comes as a header'),
    ],
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
      app('safety-journey', 'folders are 0700 and files 0600'),
    ],
  },
  {
    name: 'a secret among the arguments of a program',
    edits: [
      {
        file: 'electron/platform/keychain/keytar-store.ts',
        find: "import { Secret } from '../../services/secrets/secret-store.ts';",
        plant:
          "import { execFile } from 'node:child_process';\nimport { Secret } from '../../services/secrets/secret-store.ts';",
      },
      {
        file: 'electron/platform/keychain/keytar-store.ts',
        find: 'await call((api) => api.setPassword(service, account, secret.reveal()));',
        plant:
          "execFile('true', ['--password', secret.reveal()], () => undefined);\n        await call((api) => api.setPassword(service, account, secret.reveal()));",
      },
    ],
    checks: [
      unit('tests/security/child-processes.test.ts', 'a child is started for the practice service'),
      app('safety-journey', 'no program is started with the key among its arguments'),
    ],
  },
  {
    name: 'window.open allowed',
    edits: [{ file: 'electron/shell/security/permissions.ts', find: "action: 'deny'", plant: "action: 'allow'" }],
    checks: [
      unit('tests/security/navigation-guard.test.ts', 'a new window is denied'),
      app('safety-escapes', 'ways to leave the page lead nowhere'),
    ],
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
    checks: [
      unit('electron/shell/security/permissions.test.ts', 'request and check handlers both answer'),
      app('safety-escapes', 'of all permissions that the page can ask about'),
    ],
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
    checks: [
      unit('electron/shell/security/scheme-answer.test.ts', 'comes with the policy of the rules'),
      app('safety-escapes', 'the policy comes as a header'),
      app('safety-escapes', 'in the real page each probe of 5.2'),
    ],
  },
];
