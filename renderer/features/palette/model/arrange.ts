import type { LucideIcon } from 'lucide-react';
import type { Shortcut } from '../../../lib/hotkeys.ts';
import { rank, type Ranges } from './rank.ts';

export interface PaletteEntry {
  readonly id: string;
  readonly group: 'actions' | 'goto' | 'transcripts' | 'jobs';
  readonly title: string;
  readonly otherTitles: readonly string[];
  readonly icon: LucideIcon;
  readonly shortcut: Shortcut | null;
  readonly note?: string;
  /** Matches every query, so it comes after all real matches. */
  readonly isLastResort?: true;
  readonly run: () => void;
}

export interface MoreEntries {
  readonly entries: readonly PaletteEntry[];
  readonly moreCount: number;
}

interface ShownGroup {
  readonly name: PaletteEntry['group'] | 'recent' | 'search';
  readonly shown: readonly { readonly entry: PaletteEntry; readonly ranges: Ranges }[];
}

/** Texts come first, because most users of the palette search for one. */
const order = ['transcripts', 'actions', 'goto', 'jobs'] as const;
const recentAtMost = 5;
export const unaskedAtMost = { transcripts: 5, jobs: 0 } as const;
export const foundAtMost = 30;

const actionsOnly = '>';

/** The query for anything besides commands; null: commands only. Empty: no query yet. */
export const wordsAsked = (query: string): string | null =>
  query.trimStart().startsWith(actionsOnly) ? null : query.trim();

const unmarked = (entries: readonly PaletteEntry[]): ShownGroup['shown'] =>
  entries.map((entry) => ({ entry, ranges: [] }));

/** Without a query: recent commands, the newest texts, all else. With one: the best matches, by group. */
export function arrange(entries: readonly PaletteEntry[], query: string, recentIds: readonly string[]) {
  const isForActions = query.trimStart().startsWith(actionsOnly);
  const wanted = isForActions ? query.trimStart().slice(actionsOnly.length) : query;
  const offered = isForActions ? entries.filter(({ group }) => group === 'actions' || group === 'goto') : entries;
  if (wanted.trim() === '') {
    const recent = recentIds.flatMap((id) => offered.filter((entry) => entry.id === id)).slice(0, recentAtMost);
    const rest = offered.filter((entry) => !recent.includes(entry));
    const groups: readonly ShownGroup[] = [
      { name: 'recent' as const, shown: unmarked(recent) },
      ...order.map((name) => {
        const atMost = name === 'transcripts' || name === 'jobs' ? unaskedAtMost[name] : Infinity;
        return { name, shown: unmarked(rest.filter(({ group }) => group === name).slice(0, atMost)) };
      }),
    ].filter(({ shown }) => shown.length > 0);
    return { groups, moreCount: 0 };
  }
  const fitting = rank(
    offered.filter(({ isLastResort }) => isLastResort !== true),
    wanted,
  );
  const found = fitting.slice(0, foundAtMost);
  const names = [...new Set(found.map(({ item }) => item.group))];
  const groups: readonly ShownGroup[] = names.map((name) => ({
    name,
    shown: found.filter(({ item }) => item.group === name).map(({ item, ranges }) => ({ entry: item, ranges })),
  }));
  const lastResorts = offered.filter(({ isLastResort }) => isLastResort === true);
  const last: readonly ShownGroup[] =
    lastResorts.length === 0 ? [] : [{ name: 'search', shown: unmarked(lastResorts) }];
  return { groups: [...groups, ...last], moreCount: fitting.length - found.length };
}
