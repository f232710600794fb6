import { useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { Shortcut } from '../../../shared/domain/commands/accelerator.ts';
import {
  commandGroups,
  commands,
  placesFrom,
  placeTitles,
  type Command,
  type CommandPlace,
} from '../../../shared/domain/commands/command-list.ts';
import { shellLayer, useCommandTitle, useKeyFor } from '../../lib/commands.tsx';
import { keyCaps } from '../../lib/hotkeys.ts';
import { useText } from '../../lib/text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Keys } from '../../ui/keys.tsx';
import { SearchBox } from '../../ui/search-box.tsx';
import { foldText } from '../../../shared/domain/text/fold-text.ts';
import css from './shortcut-sheet.module.css';

interface ShortcutSheetProps {
  readonly isOpen: boolean;
  readonly here: CommandPlace;
  readonly onClose: () => void;
  readonly onChange: () => void;
}

/** Users open the list to find a key, so typing goes into the search. */
const takeFocus = (field: HTMLInputElement | null) => field?.focus();

export function ShortcutSheet({ isOpen, here, onClose, onChange }: ShortcutSheetProps) {
  const t = useText();
  const [query, setQuery] = useState('');
  const [wasOpen, setWasOpen] = useState(isOpen);
  if (isOpen !== wasOpen) {
    setWasOpen(isOpen);
    // What was searched for last time is not what is searched for now.
    if (isOpen) setQuery('');
  }
  return (
    <Dialog
      width="xl"
      title={t('shortcuts.title')}
      isOpen={isOpen}
      onClose={onClose}
      headerExtra={
        <div className="row gap-8 between fill">
          <SearchBox
            field={takeFocus}
            className={css['find']}
            label={t('shortcuts.find')}
            placeholder={t('shortcuts.find')}
            value={query}
            onChange={setQuery}
          />
          <Button variant="ghost" className={css['change']} onPress={onChange}>
            {t('shortcuts.change')}
          </Button>
        </div>
      }
      scrollsByKeys
      footer={<p className={css['note']}>{t('shortcuts.note')}</p>}
    >
      <div {...shellLayer}>
        <AppPaths query={query} here={here} />
      </div>
    </Dialog>
  );
}

function AppPaths({ query, here }: { readonly query: string; readonly here: CommandPlace }) {
  const t = useText();
  const keyFor = useKeyFor();
  const titleOf = useCommandTitle();
  const wanted = foldText(query.trim()).text;
  const listed = commands.flatMap(({ id, group, place }): readonly Listed[] => {
    const key = keyFor(id);
    const name = titleOf(id);
    if (key === null) return [];
    const isWanted =
      foldText(name).text.includes(wanted) ||
      foldText(keyCaps(key).join(' ')).text.includes(wanted.replaceAll('+', ' '));
    return isWanted ? [{ id, group, place, name, key }] : [];
  });
  const spoken = asOneLine(listed);
  if (listed.length === 0) return <p className={css['none']}>{t('shortcuts.none', { query: query.trim() })}</p>;
  return placesFrom(here).map((place) => {
    const rows = listed.filter((row) => row.place === place && !spoken.has(row.id));
    return rows.length === 0 ? null : (
      <section key={place} className={css['place']} aria-label={t(placeTitles[place])}>
        <h3 className={css['title']}>{t(placeTitles[place])}</h3>
        <Groups rows={rows} hasOneLine={spoken.size > 0} />
      </section>
    );
  });
}

type Listed = Pick<Command, 'id' | 'group' | 'place'> & { readonly name: string; readonly key: Shortcut };

function Groups({ rows, hasOneLine }: { readonly rows: readonly Listed[]; readonly hasOneLine: boolean }) {
  const t = useText();
  const groups = commandGroups.filter((group) => rows.some((row) => row.group === group));
  return (
    <div>
      {groups.map((group) => (
        <div key={group} className={css['group']}>
          {groups.length > 1 && (
            <h4 className={css['heading']}>
              {t(group === 'everywhere' ? 'palette.groups.goto' : `shortcuts.groups.${group}`)}
            </h4>
          )}
          <dl>
            {rows
              .filter((row) => row.group === group)
              .map(({ id, name, key }) => {
                const isOneLine = hasOneLine && id === firstSpeaker;
                return (
                  <div key={id} className={css['row']}>
                    <dt>{isOneLine ? t('shortcuts.assign') : name}</dt>
                    <dd className="row gap-4 rigid">
                      <Keys shortcut={key} />
                      {isOneLine && <span aria-hidden>–8</span>}
                      <VisuallyHidden elementType="span">{`${keyCaps(key).join(' ')}${isOneLine ? '–8' : ''}`}</VisuallyHidden>
                    </dd>
                  </div>
                );
              })}
          </dl>
        </div>
      ))}
    </div>
  );
}

const firstSpeaker = 'speaker.assign1';

/** The further lines of "Speaker n says this" while all of them have consecutive keys: one line covers them all. */
function asOneLine(listed: readonly { readonly id: string; readonly key: string }[]): ReadonlySet<string> {
  const lines = listed.filter(({ id }) => id.startsWith(firstSpeaker.slice(0, -1)));
  const start = lines[0]?.key.replace(/1$/u, '');
  const isInOrder = lines.length === 8 && lines.every(({ key }, at) => key === `${start ?? ''}${String(at + 1)}`);
  return new Set(isInOrder ? lines.slice(1).map(({ id }) => id) : []);
}
