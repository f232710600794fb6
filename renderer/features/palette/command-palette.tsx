import { Search, SearchX } from 'lucide-react';
import { useEffect, useRef, useId, useMemo, useState } from 'react';
import { Dialog as AriaDialog, Modal, ModalOverlay, VisuallyHidden } from 'react-aria-components';
import { cx } from '../../lib/class-names.ts';
import { shellLayer, useKeyFor } from '../../lib/commands.tsx';
import { useText } from '../../lib/text.ts';
import { Keys } from '../../ui/keys.tsx';
import look from '../../ui/option.module.css';
import { useOptionWalk } from '../../ui/use-option-walk.ts';
import css from './command-palette.module.css';
import { type MoreEntries, type PaletteEntry, arrange } from './model/arrange.ts';
import type { Ranges } from './model/rank.ts';

interface CommandPaletteProps {
  readonly isOpen: boolean;
  readonly entries: readonly PaletteEntry[];
  /** More possible matches, computed during typing, because there may be thousands. */
  readonly entriesFor: (query: string) => MoreEntries;
  readonly recentIds: readonly string[];
  readonly onClose: () => void;
  readonly onChosen: (id: string) => void;
  readonly onShortcuts: () => void;
}

export function CommandPalette({ isOpen, onClose, onChosen, ...search }: CommandPaletteProps) {
  const t = useText();
  const chosen = useRef<PaletteEntry | null>(null);
  return (
    <ModalOverlay
      className={css['scrim'] ?? ''}
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Modal className={css['modal'] ?? ''}>
        <AriaDialog className={css['palette'] ?? ''} aria-label={t('palette.title')}>
          <div {...shellLayer} className="column fill flat">
            <RunWhenGone chosen={chosen} />
            <PaletteSearch
              {...search}
              onChoose={(entry) => {
                chosen.current = entry;
                onChosen(entry.id);
                onClose();
              }}
            />
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The focus returns a frame after the palette has closed; a command that moves it must run later. */
function RunWhenGone({ chosen }: { readonly chosen: { current: PaletteEntry | null } }) {
  useEffect(
    () => () => {
      const entry = chosen.current;
      chosen.current = null;
      if (entry === null) return;
      requestAnimationFrame(() => requestAnimationFrame(entry.run));
    },
    [chosen],
  );
  return null;
}

type PaletteSearchProps = Omit<CommandPaletteProps, 'isOpen' | 'onClose' | 'onChosen'> & {
  readonly onChoose: (entry: PaletteEntry) => void;
};

function PaletteSearch({ entries, entriesFor, recentIds, onChoose, onShortcuts }: PaletteSearchProps) {
  const t = useText();
  const keyFor = useKeyFor();
  const id = useId();
  const [query, setQuery] = useState('');
  const { groups, moreCount } = useMemo(() => {
    const more = entriesFor(query);
    const arranged = arrange([...entries, ...more.entries], query, recentIds);
    return { ...arranged, moreCount: arranged.moreCount + more.moreCount };
  }, [entries, entriesFor, query, recentIds]);
  const flat = useMemo(() => groups.flatMap(({ shown }) => shown.map(({ entry }) => entry)), [groups]);
  const walk = useOptionWalk(flat, onChoose);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const shortcutsKey = keyFor('shortcuts.open');
  return (
    <>
      <div className={css['search']}>
        <Search aria-hidden size={20} strokeWidth={1.75} />
        <input
          className={css['input']}
          {...walk.field}
          aria-label={t('palette.placeholder')}
          placeholder={t('palette.placeholder')}
          value={query}
          ref={field}
          onChange={(event) => {
            setQuery(event.target.value);
            walk.restart();
          }}
        />
      </div>
      {flat.length === 0 ? (
        <div className={css['none']}>
          <SearchX aria-hidden size={20} strokeWidth={1.75} />
          <p>
            <b>{t('palette.none', { query })}</b>
            <br />
            {t('palette.noneHint')}
          </p>
        </div>
      ) : (
        <div
          className={css['list']}
          id={walk.listId}
          // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- no tag is a list that a field beside it walks
          role="listbox"
          tabIndex={-1}
          aria-label={t('palette.results')}
        >
          {groups.map(({ name, shown }) => (
            // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a list box may only hold groups and options
            <div key={name} role="group" aria-labelledby={`${id}-group-${name}`}>
              <div role="presentation" id={`${id}-group-${name}`} className={css['heading']}>
                {t(`palette.groups.${name}`)}
              </div>
              {shown.map(({ entry, ranges }) => (
                <PaletteOption
                  key={entry.id}
                  entry={entry}
                  ranges={ranges}
                  isActive={entry === walk.active}
                  option={walk.optionProps(entry)}
                />
              ))}
            </div>
          ))}
        </div>
      )}
      {moreCount > 0 && <p className={css['more']}>{t('palette.more', { count: moreCount })}</p>}
      <VisuallyHidden>
        <output>
          {query.trim() !== '' && t('palette.found', { count: flat.length })}
          {moreCount > 0 && `. ${t('palette.more', { count: moreCount })}`}
        </output>
      </VisuallyHidden>
      <footer className={css['footer']}>
        <span className="inline gap-4">
          <Keys shortcut="ArrowUp" />
          <Keys shortcut="ArrowDown" /> {t('palette.hints.move')}
        </span>
        <span className="inline gap-4">
          <Keys shortcut="Enter" /> {t('palette.hints.run')}
        </span>
        <span className="inline gap-4">
          <Keys shortcut=">" /> {t('palette.hints.actions')}
        </span>
        <button type="button" className={css['all']} onClick={onShortcuts}>
          {shortcutsKey && <Keys shortcut={shortcutsKey} />} {t('palette.hints.shortcuts')}
        </button>
      </footer>
    </>
  );
}

interface PaletteOptionProps {
  readonly entry: PaletteEntry;
  readonly ranges: Ranges;
  readonly isActive: boolean;
  readonly option: object;
}

function PaletteOption({ entry, ranges, isActive, option }: PaletteOptionProps) {
  const Icon = entry.icon;
  return (
    <div {...option} className={cx(look['option'], isActive && look['active'])}>
      <Icon aria-hidden size={16} strokeWidth={1.75} />
      <span className={css['title']}>
        <Marked text={entry.title} ranges={ranges} />
      </span>
      {entry.note && <span className="rigid small muted">{entry.note}</span>}
      {entry.shortcut && <Keys shortcut={entry.shortcut} className={css['keys']} />}
    </div>
  );
}

function Marked({ text, ranges }: { readonly text: string; readonly ranges: Ranges }) {
  const ends = [0, ...ranges.map(([, to]) => to)];
  return (
    <>
      {ranges.map(([from, to], index) => (
        <span key={from}>
          {text.slice(ends[index], from)}
          <b>{text.slice(from, to)}</b>
        </span>
      ))}
      {text.slice(ends.at(-1))}
    </>
  );
}
