/**
 * The layers, as a table people can remember: each may import itself and what stands behind it.
 * Tests may reach further. `tests/architecture/` proves that a planted violation is found.
 */
const layers = {
  'shared/result': [],
  'shared/i18n': ['shared/domain'],
  'shared/domain': ['shared/result'],
  'shared/wire': ['shared/result', 'shared/domain'],
  'shared/ipc': ['shared/result', 'shared/domain'],
  'electron/api': ['shared/result', 'shared/wire', 'shared/domain'],
  'electron/services': ['shared/result', 'shared/domain', 'electron/api'],
  'electron/threads': [],
  'electron/platform': ['shared/result', 'shared/domain', 'electron/services', 'electron/threads'],
  'electron/ipc': ['shared/result', 'shared/ipc'],
  'electron/app': [
    'shared/result',
    'shared/domain',
    'shared/i18n',
    'shared/ipc',
    'electron/ipc',
    'electron/platform',
    'electron/services',
  ],
  'electron/cli': [
    'shared/result',
    'shared/domain',
    'shared/i18n',
    'electron/api',
    'electron/services',
    'electron/platform',
  ],
  'electron/mcp': ['shared/result', 'shared/domain', 'shared/wire', 'electron/api', 'electron/services'],
  'electron/practice': ['shared/result', 'shared/wire', 'shared/domain', 'electron/threads'],
  'renderer/lib': ['shared/result', 'shared/domain'],
  'renderer/ui': ['renderer/lib'],
  'renderer/audio': ['shared/result', 'shared/domain', 'renderer/lib'],
  'renderer/bridge': ['shared/result', 'shared/domain', 'shared/ipc'],
  'renderer/connection': ['shared/result', 'shared/domain', 'renderer/bridge', 'renderer/ui', 'renderer/lib'],
  'renderer/deletion': ['shared/result', 'shared/domain', 'renderer/bridge', 'renderer/ui', 'renderer/lib'],
  'renderer/features': [
    'shared/result',
    'shared/domain',
    'shared/i18n',
    'renderer/bridge',
    'renderer/connection',
    'renderer/deletion',
    'renderer/ui',
    'renderer/audio',
    'renderer/lib',
  ],
  'renderer/app': [
    'shared/result',
    'shared/domain',
    'shared/i18n',
    'renderer/features',
    'renderer/bridge',
    'renderer/ui',
    'renderer/lib',
  ],
};
const under = (path) => `^${path}/`;
const test = '[.]test[.]tsx?$';

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([layer, allowed]) => ({
      name: `layer:${layer}`,
      severity: 'error',
      from: { path: under(layer), pathNot: test },
      to: { path: '^(shared|electron|renderer|tests)/', pathNot: [under(layer), ...allowed.map(under)] },
    })),
    {
      name: 'feature-isolation',
      comment: 'Two features that need each other share through domain, ui or audio, or meet in renderer/app.',
      severity: 'error',
      from: { path: '^renderer/features/([^/]+)/' },
      to: { path: '^renderer/features/', pathNot: '^renderer/features/$1/' },
    },
    {
      name: 'feature-front-door',
      severity: 'error',
      from: { path: '^renderer/app/' },
      to: { path: '^renderer/features/[^/]+/.+', pathNot: '^renderer/features/[^/]+/index[.]tsx?$' },
    },
    {
      name: 'electron-only-at-the-edge',
      severity: 'error',
      from: { path: '^(shared|renderer|electron)/', pathNot: '^electron/(entries|app|ipc|platform/electron)/' },
      to: { path: '(^|node_modules/)electron(/|$)', pathNot: '^electron/' },
    },
    {
      name: 'domain-packages',
      comment: 'Decisions are pure: zod is the only package they may use.',
      severity: 'error',
      from: { path: '^shared/(domain|wire|result|ipc|i18n)/', pathNot: test },
      to: { path: 'node_modules/', pathNot: 'node_modules/zod/' },
    },
    {
      name: 'node-only-in-electron',
      severity: 'error',
      from: { path: '^(shared|renderer)/', pathNot: test },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'read-when-needed',
      comment: 'The HTTP client is half of the code of main; a start that shows the list does not wait for it.',
      severity: 'error',
      from: { path: '^electron/', pathNot: test },
      to: { path: '^electron/api/core/transport-undici[.]ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: ['^electron/entries/', '[.]d[.]ts$', test, '[.]css$'] },
      to: {},
    },
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    tsConfig: { fileName: `${__dirname}/tsconfig.node.json` },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json'] },
  },
};
