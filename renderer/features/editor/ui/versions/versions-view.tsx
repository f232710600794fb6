import {
  ArrowDown,
  ArrowUp,
  ChevronLeft,
  CircleAlert,
  Equal,
  GitCompareArrows,
  History,
  Undo2,
  Check,
  Cloud,
  Ear,
  Ellipsis,
  FileDown,
  Pencil,
  PencilLine,
  Replace,
  X,
} from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { isTextName } from '../../../../../shared/domain/imports/read-subtitles.ts';
import { compareCuts } from '../../../../../shared/domain/transcript/compare.ts';
import type { Transcript } from '../../../../../shared/domain/transcript/transcript.ts';
import { largeEdits } from '../../../../../shared/domain/transcript/versions.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useFailureText } from '../../../../lib/failure-text.ts';
import { useText, useFormats } from '../../../../lib/text.ts';
import { Banner } from '../../../../ui/banner.tsx';
import { Button } from '../../../../ui/button.tsx';
import { Chip } from '../../../../ui/chip.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { EmptyState } from '../../../../ui/empty-state.tsx';
import { Field } from '../../../../ui/field.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Menu, type MenuCommand } from '../../../../ui/menu.tsx';
import { useUndoNotice } from '../../../../ui/notices.ts';
import { PanelActions, PanelBar, PanelTitle } from '../../../../ui/panel.tsx';
import { Spinner } from '../../../../ui/spinner.tsx';
import { useEditor } from '../../editor-context.ts';
import { useContextMenu } from '../use-context-menu.tsx';
import { CompareTable } from './compare-table.tsx';
import { useVersions, type ShownVersion, type Versions } from './use-versions.ts';
import css from './versions.module.css';

const icons = {
  now: Pencil,
  named: Check,
  before: Replace,
  'listen-again': Ear,
  restore: Undo2,
  session: Pencil,
  account: GitCompareArrows,
  service: Cloud,
  imported: FileDown,
} as const;

export function VersionsView() {
  const t = useText();
  const { store, detail } = useEditor();
  const versions = useVersions();
  const words = useVersionWords();
  const failureWords = useFailureText();
  const [wanted, setCurrent] = useState(0);
  const [onlyChanges, setOnlyChanges] = useState(true);
  const { chosen, before, now, rows, isDifferent, conflict } = versions;
  const changed = rows.filter(({ isSame }) => !isSame);
  const count = changed.length;
  const current = Math.min(wanted, count - 1);
  const [isFinishing, setIsFinishing] = useState(false);
  const finish = async (given: NonNullable<typeof conflict>) => {
    setIsFinishing(true);
    // A second press would combine them once more.
    const isDone = await given.finish().finally(() => setIsFinishing(false));
    if (isDone) back();
  };
  const unchosen = changed.flatMap((row, change) => (conflict?.choiceOf(row) === null ? [change] : []));
  const back = () => store.showView('text');
  const compared = useRef<HTMLElement>(null);
  useEffect(() => {
    // What had the focus in the text is gone.
    if (document.activeElement === document.body) compared.current?.focus({ preventScroll: true });
  }, []);
  return (
    <>
      <PanelBar>
        <IconButton icon={ChevronLeft} label={t('versions.back')} onPress={back} />
        <PanelTitle>{detail.title}</PanelTitle>
        <span className={css['chip']}>
          <Chip tone="line" icon={History}>
            {t('versions.title')}
          </Chip>
        </span>
        <PanelActions>
          {count > 0 && (
            <>
              <output className="nowrap small digits muted">
                {t('editor.find.count', { current: current + 1, count })}
              </output>
              <IconButton
                icon={ArrowUp}
                size="sm"
                label={t('versions.previous')}
                onPress={() => setCurrent((current - 1 + count) % count)}
              />
              <IconButton
                icon={ArrowDown}
                size="sm"
                label={t('versions.next')}
                onPress={() => setCurrent((current + 1) % count)}
              />
            </>
          )}
          {conflict !== null && (
            <Button isDisabled={isFinishing} onPress={() => void conflict.keepThis()}>
              {t('versions.keepThis')}
            </Button>
          )}
          <Button
            variant={conflict === null ? 'primary' : 'default'}
            {...(conflict === null ? { icon: Undo2 } : {})}
            isDisabled={!isDifferent}
            onPress={versions.restoreAll}
          >
            {t(conflict === null ? 'versions.restoreAll' : 'versions.takeAll')}
          </Button>
        </PanelActions>
      </PanelBar>
      {conflict !== null && (
        <Banner
          tone="warn"
          icon={GitCompareArrows}
          title={t('versions.conflictTitle')}
          actions={
            <Button
              size="sm"
              variant="primary"
              isDisabled={isFinishing || count === 0}
              onPress={() => {
                const [first] = unchosen;
                if (first === undefined) void finish(conflict);
                else setCurrent(unchosen.find((change) => change > current) ?? first);
              }}
            >
              {unchosen.length > 0 ? t('versions.toChoose', { number: unchosen.length }) : t('versions.useChoices')}
            </Button>
          }
        >
          {t('versions.conflict')}
        </Banner>
      )}
      <div className={css['split']}>
        <section ref={compared} tabIndex={-1} className={css['compare']} data-pane="text">
          {versions.failure !== null ? (
            <div className={css['waiting']} role="alert">
              <EmptyState
                icon={CircleAlert}
                title={failureWords(versions.failure).title}
                action={<Button onPress={versions.retry}>{t('common.retry')}</Button>}
              >
                {failureWords(versions.failure).textAfterTitle}
              </EmptyState>
            </div>
          ) : before === null || chosen === null ? (
            <output className={css['waiting']}>
              <Spinner />
              {t('versions.reading')}
            </output>
          ) : (
            <>
              <div className={css['heads']}>
                <span />
                <b className="breaks strong">{words(chosen).title}</b>
                <span />
                <span className={css['now']}>
                  <b className="breaks strong">{t('versions.now')}</b>
                  <label className={css['only']}>
                    <input
                      type="checkbox"
                      checked={onlyChanges}
                      onChange={({ currentTarget }) => setOnlyChanges(currentTarget.checked)}
                    />
                    {t('versions.onlyChanges')}
                  </label>
                </span>
              </div>
              <OtherDifferences before={before} now={now} />
              {!isDifferent && onlyChanges ? (
                <div className={css['waiting']}>
                  <EmptyState icon={Equal} title={t('versions.same')}>
                    {t('versions.sameText')}
                  </EmptyState>
                </div>
              ) : (
                <CompareTable
                  key={chosen.revision}
                  before={before}
                  after={now}
                  rows={rows}
                  current={current}
                  onCurrent={setCurrent}
                  onlyChanges={onlyChanges}
                  onRestore={conflict === null ? versions.restore : null}
                  conflict={conflict}
                />
              )}
            </>
          )}
        </section>
        <VersionList versions={versions} />
      </div>
    </>
  );
}

function OtherDifferences({ before, now }: { readonly before: Transcript; readonly now: Transcript }) {
  const t = useText();
  const { cutCount, uncutCount } = useMemo(() => compareCuts(before, now), [before, now]);
  const notes = [
    ...(cutCount > 0 ? [t('versions.silencesCut', { count: cutCount })] : []),
    ...(uncutCount > 0 ? [t('versions.silencesUncut', { count: uncutCount })] : []),
    ...(before.speakers === now.speakers ? [] : [t('versions.otherSpeakers')]),
  ];
  return notes.length === 0 ? null : (
    <ul className={css['others']}>
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

function useVersionWords(): (version: ShownVersion) => { readonly title: string; readonly sub: string } {
  const t = useText();
  const formats = useFormats();
  const { detail } = useEditor();
  const isImported = isTextName(detail.sourceName);
  return ({ kind, atMs, name, label, editCount }) => {
    const time = formats.time(atMs ?? detail.createdAtMs);
    const edits = t('versions.edits', { count: editCount });
    switch (kind) {
      case 'now':
        return name === null
          ? { title: t('versions.now'), sub: time }
          : { title: name, sub: t('versions.nowNamed', { time }) };
      case 'named':
        return { title: name ?? '', sub: t('versions.namedByYou', { time }) };
      case 'before':
        return { title: t('versions.before', { what: whatOf(label, t) }), sub: t('versions.automatic', { time }) };
      case 'session':
        return { title: t('versions.session'), sub: `${time}, ${edits}` };
      case 'account':
        return { title: t('versions.account'), sub: t('versions.accountSub') };
      case 'service':
        return {
          title: t(isImported ? 'versions.imported' : 'versions.service'),
          sub: t('versions.alwaysKept', { time }),
        };
    }
  };
}

function whatOf(label: string | null, t: ReturnType<typeof useText>): string {
  const what = largeEdits.find((one) => one === label);
  return what === undefined ? '' : t(`versions.what.${what}`);
}

function iconOf({ kind, label }: ShownVersion, isImported: boolean): keyof typeof icons {
  if (kind === 'before' && (label === 'listen-again' || label === 'restore')) return label;
  return kind === 'service' && isImported ? 'imported' : kind;
}

function VersionList({ versions }: { readonly versions: Versions }) {
  const t = useText();
  const formats = useFormats();
  const { detail } = useEditor();
  const [asked, setAsked] = useState<ShownVersion | null>(null);
  const listed = versions.versions ?? [];
  const now = listed.find(({ kind }) => kind === 'now');
  const dayOf = ({ atMs }: ShownVersion) => formats.date(atMs ?? detail.createdAtMs);
  return (
    <aside className={css['side']} aria-label={t('versions.title')} data-pane="inspector">
      <div className={css['sideHead']}>
        <h2 className="small strong muted">{t('versions.title')}</h2>
        <Button
          size="sm"
          className={css['saveNow']}
          isDisabled={now === undefined || now.revision === 0}
          onPress={() => setAsked(now ?? null)}
        >
          {t('versions.saveNow')}
        </Button>
      </div>
      <ol className={css['list']} aria-label={t('versions.title')}>
        {listed.map((version, at) => {
          const previous = listed[at - 1];
          const isNewDay = previous !== undefined && dayOf(previous) !== dayOf(version);
          return (
            <li key={`${version.kind}-${String(version.revision)}`}>
              {isNewDay && <h3 className={css['day']}>{dayOf(version)}</h3>}
              <VersionRow version={version} versions={versions} onRename={() => setAsked(version)} />
            </li>
          );
        })}
      </ol>
      <p className={css['hint']}>{t('versions.restoreHint')}</p>
      {asked !== null && (
        <NameDialog
          title={t(asked.kind === 'now' ? 'versions.saveNow' : 'library.rename')}
          name={asked.name ?? ''}
          onClose={() => setAsked(null)}
          onName={(name) =>
            void (asked.kind === 'now' ? versions.saveNow(name) : versions.rename(asked.revision, name))
          }
        />
      )}
    </aside>
  );
}

function VersionRow({
  version,
  versions: { chosen, choose, before, rows, rename },
  onRename,
}: {
  readonly version: ShownVersion;
  readonly versions: Versions;
  readonly onRename: () => void;
}) {
  const t = useText();
  const { detail } = useEditor();
  const showUndo = useUndoNotice();
  const { revision, kind, name } = version;
  const Icon = icons[iconOf(version, isTextName(detail.sourceName))];
  const { title, sub } = useVersionWords()(version);
  const isChosen = kind !== 'now' && revision === chosen?.revision;
  const changes = rows.filter(({ isSame }) => !isSame).length;
  const entries: readonly MenuCommand[] = [
    { id: 'rename', icon: PencilLine, text: t('library.rename'), onAction: onRename },
    {
      id: 'remove',
      icon: X,
      text: t('versions.removeName'),
      isDisabled: name === null,
      onAction: () => {
        void rename(revision, null);
        showUndo({ text: t('versions.nameRemoved'), undo: () => void rename(revision, name) });
      },
    },
  ];
  const { onContextMenu, menu } = useContextMenu(title, () => entries);
  const hasMenu = revision > 0 && (kind !== 'now' || name !== null);
  return (
    <>
      <div
        role="presentation"
        className={cx(css['row'], isChosen && css['chosen'])}
        onContextMenu={hasMenu ? onContextMenu : undefined}
      >
        <button
          type="button"
          className={css['version']}
          aria-current={isChosen}
          disabled={kind === 'now'}
          onClick={() => choose(revision)}
        >
          <Icon aria-hidden size={15} strokeWidth={1.75} />
          <span className={css['words']}>
            <b>{title}</b>
            <span>{sub}</span>
          </span>
          {isChosen && before !== null && changes > 0 && (
            <span className="nowrap digits">{t('versions.changes', { count: changes })}</span>
          )}
        </button>
        {hasMenu && (
          <Menu
            label={title}
            entries={entries}
            trigger={<IconButton size="sm" icon={Ellipsis} label={t('common.more')} />}
          />
        )}
      </div>
      {menu}
    </>
  );
}

function NameDialog({
  title,
  name: before,
  onName,
  onClose,
}: {
  readonly title: string;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}) {
  const t = useText();
  const [name, setName] = useState(before);
  const isEmpty = name.trim() === '';
  const done = () => {
    if (isEmpty) return;
    onName(name.trim());
    onClose();
  };
  return (
    <Dialog
      title={title.replace(/…$/u, '')}
      isOpen
      onClose={onClose}
      width="sm"
      footer={
        <>
          <Button onPress={onClose}>{t('common.cancel')}</Button>
          <Button variant="primary" isDisabled={isEmpty} onPress={done}>
            {t('common.save')}
          </Button>
        </>
      }
    >
      <Field
        label={t('versions.nameLabel')}
        placeholder={t('versions.nameExample')}
        value={name}
        onChange={(typed) => setName(typed.slice(0, 120))}
        onEnter={done}
        isAutoFocused
      />
    </Dialog>
  );
}
