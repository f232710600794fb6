import { readFileSync, readdirSync } from 'node:fs';

const read = (path: string): string => {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    // A process may exit between listing and reading it.
    return '';
  }
};
const numberAfter = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);

/** The fields of /proc/PID/stat after the name, which may contain spaces: state, parent, … */
const statOf = (pid: number): string[] =>
  (
    read(`/proc/${String(pid)}/stat`)
      .split(') ')
      .at(-1) ?? ''
  ).split(' ');

function treeOf(root: number): number[] {
  const parents = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => [Number(name), Number(statOf(Number(name))[1])] as const);
  const tree = [root];
  for (const pid of tree) tree.push(...parents.filter(([, parent]) => parent === pid).map(([child]) => child));
  return tree;
}

export interface TreeState {
  readonly processes: number;
  /** The proportional set size of all processes in MiB; it divides shared memory between them. */
  readonly pssMiB: number;
  readonly cpuMs: number;
  /** Voluntary context switches of the first process's main thread: each timer or message that woke it. */
  readonly mainWakeUps: number;
}

const msPerTick = 10;

export function readTree(root: number): TreeState {
  const tree = treeOf(root);
  const sum = (of: (pid: number) => number) => tree.reduce((total, pid) => total + of(pid), 0);
  return {
    processes: tree.length,
    pssMiB: sum((pid) => numberAfter(read(`/proc/${String(pid)}/smaps_rollup`), 'Pss')) / 1024,
    cpuMs: sum((pid) => Number(statOf(pid)[11] ?? 0) + Number(statOf(pid)[12] ?? 0)) * msPerTick,
    mainWakeUps: numberAfter(read(`/proc/${String(root)}/task/${String(root)}/status`), 'voluntary_ctxt_switches'),
  };
}
