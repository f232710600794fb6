import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const cruiser = fileURLToPath(
  new URL('../../node_modules/dependency-cruiser/bin/dependency-cruiser.mjs', import.meta.url),
);

interface Report {
  readonly summary: {
    readonly totalCruised: number;
    readonly violations: readonly {
      readonly from: string;
      readonly rule: { readonly name: string; readonly severity: string };
    }[];
  };
}

/** The same rules as `npm run layers`, over another folder; the exit code is the number of errors. */
function cruise(cwd: string): Report {
  const args = [
    cruiser,
    'electron',
    'renderer',
    'shared',
    '--config',
    `${root}/.dependency-cruiser.cjs`,
    '--output-type',
    'json',
  ];
  try {
    return JSON.parse(
      execFileSync(process.execPath, args, { cwd, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 }),
    ) as Report;
  } catch (error) {
    return JSON.parse((error as { stdout: string }).stdout) as Report;
  }
}

describe('the layer check', { timeout: 120_000 }, () => {
  it('finds every planted violation', () => {
    const report = cruise(fileURLToPath(new URL('fixtures', import.meta.url)));
    const found = report.summary.violations.map((violation) => `${violation.rule.name} in ${violation.from}`);
    expect(new Set(found)).toEqual(
      new Set([
        'layer:shared/domain in shared/domain/reads-files.ts',
        'node-only-in-electron in shared/domain/reads-files.ts',
        'electron-only-at-the-edge in electron/services/send.ts',
        'feature-isolation in renderer/features/a/index.ts',
        'layer:renderer/features in renderer/features/a/index.ts',
        'only-types-of-main in renderer/bridge/runs-main.ts',
        'read-when-needed in electron/service/client.ts',
      ]),
    );
  });

  it('reads the project itself and finds nothing', () => {
    const report = cruise(root);
    expect(report.summary.totalCruised).toBeGreaterThan(100);
    expect(report.summary.violations).toEqual([]);
  });
});

describe('types of Node and of the browser are known everywhere', () => {
  it('but the linter finds a global of Node in the page and one of the page in main', () => {
    const folder = mkdtempSync(join(tmpdir(), 'ovoz-globals-'));
    try {
      // Its own settings ignore planted violations where they lie.
      cpSync(join(root, 'tests/architecture/fixtures'), folder, { recursive: true });
      cpSync(join(root, '.oxlintrc.json'), join(folder, '.oxlintrc.json'));
      const linter = join(root, 'node_modules/oxlint/bin/oxlint');
      const { stdout } = spawnSync(process.execPath, [linter, '--format', 'unix'], { cwd: folder, encoding: 'utf8' });
      const found = stdout.split('\n').filter((line) => line.includes('no-restricted-globals'));
      expect(
        found.flatMap((line) => /(\w[\w/-]*[.]ts):.*'(\w+)'/.exec(line)?.slice(1).join(' ') ?? []).toSorted(),
      ).toEqual([
        'electron/services/send.ts document',
        'renderer/features/b/index.ts Buffer',
        'renderer/features/b/index.ts process',
      ]);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
