import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

interface Lock {
  readonly lockfileVersion: number;
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly integrity?: string;
        readonly resolved?: string;
        readonly optionalDependencies?: Readonly<Record<string, string>>;
      }
    >
  >;
}

const read = <T>(name: string): T => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8')) as T;
const manifest = read<Manifest>('package.json');
const lock = read<Lock>('package-lock.json');

describe('the supply chain', () => {
  it('has an integrity hash for every package of the lock, and names no registry (S-61)', () => {
    const packages = Object.entries(lock.packages).filter(([path]) => path !== '');
    expect(lock.lockfileVersion).toBe(3);
    expect(packages.length).toBeGreaterThan(100);
    expect(packages.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([]);
    expect(packages.filter(([, entry]) => entry.resolved !== undefined).map(([path]) => path)).toEqual([]);
  });

  it('includes the builds of every platform, without which a clean install fails', () => {
    const names = new Set(Object.keys(lock.packages).map((path) => path.slice(path.lastIndexOf('node_modules/') + 13)));
    const wanted = Object.entries(lock.packages)
      .filter(([path]) => path !== '')
      .flatMap(([, entry]) => Object.keys(entry.optionalDependencies ?? {}));
    expect(wanted.length).toBeGreaterThan(50);
    expect(wanted.filter((name) => !names.has(name))).toEqual([]);
  });

  it('gives a reason for every direct dependency in docs/dependencies.md (S-65)', () => {
    const documented = new Set(
      readFileSync(new URL('../../docs/dependencies.md', import.meta.url), 'utf8')
        .split('\n')
        .map((line) => /^- `([^`]+)` \([^)]+\): \S/.exec(line)?.[1]),
    );
    const direct = [manifest.dependencies, manifest.devDependencies, manifest.optionalDependencies].flatMap(
      Object.keys,
    );
    expect(direct.filter((name) => !documented.has(name))).toEqual([]);
  });

  it('pins every direct dependency to one version', () => {
    const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
    expect(
      Object.entries(all).filter(([, version]) => !/^(npm:@github\/keytar@)?\d+\.\d+\.\d+$/.test(version)),
    ).toEqual([]);
  });
});
