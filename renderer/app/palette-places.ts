import { Settings2 } from 'lucide-react';
import { useCallback } from 'react';
import { useLocation } from 'wouter';
import { accountPages } from '../features/account/index.ts';
import { settingsIndex, settingsPages } from '../features/settings/index.ts';
import { rank, type PaletteEntry } from '../features/palette/index.ts';
import { useOtherWords, useText } from '../lib/text.ts';

const atMost = 8;

/** Every setting and every page of settings and account, searchable in all languages; empty without a query. */
export function usePlaceEntries(): (asked: string) => readonly PaletteEntry[] {
  const t = useText();
  const others = useOtherWords();
  const [, navigate] = useLocation();
  return useCallback(
    (asked) => {
      if (asked === '') return [];
      const base = { group: 'goto' as const, icon: Settings2, shortcut: null };
      const all: readonly PaletteEntry[] = [
        ...settingsIndex.map(({ name, page, words: [title, ...more] }) => ({
          ...base,
          id: `setting-${name}`,
          title: t(title),
          note: `${t('settings.title')}, ${t(`settings.pages.${page}`)}`,
          otherTitles: [
            ...others().flatMap((say) => [title, ...more].map((key) => say(key))),
            ...more.map((key) => t(key)),
          ],
          run: () => {
            navigate(`/settings/${page}/${name}`);
          },
        })),
        ...settingsPages.map((page) => ({
          ...base,
          id: `settings-${page}`,
          title: t(`settings.pages.${page}`),
          note: t('settings.title'),
          otherTitles: others().map((say) => say(`settings.pages.${page}`)),
          run: () => {
            navigate(`/settings/${page}`);
          },
        })),
        ...accountPages.map((page) => ({
          ...base,
          id: `account-${page}`,
          title: t(`account.pages.${page}`),
          note: t('account.title'),
          otherTitles: others().map((say) => say(`account.pages.${page}`)),
          run: () => {
            navigate(page === 'usage' ? '/account' : `/account/${page}`);
          },
        })),
      ];
      return rank(all, asked)
        .slice(0, atMost)
        .map(({ item }) => item);
    },
    [t, others, navigate],
  );
}
