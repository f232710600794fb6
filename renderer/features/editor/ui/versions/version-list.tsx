import {
  Check,
  Cloud,
  Ear,
  Ellipsis,
  FileDown,
  GitCompareArrows,
  Pencil,
  PencilLine,
  Replace,
  Undo2,
  X,
} from 'lucide-react';
import { useState } from 'react';
import { isTextName } from '../../../../../shared/domain/imports/read-subtitles.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Field } from '../../../../ui/field.tsx';
import { IconButton } from '../../../../ui/icon-button.tsx';
import { Menu, type MenuCommand } from '../../../../ui/menu.tsx';
import { useUndoNotice } from '../../../../ui/notices.ts';
import { useEditor } from '../../editor-context.ts';
import { useContextMenu } from '../use-context-menu.tsx';
import type { ShownVersion, Versions } from './use-versions.ts';
import css from './versions-view.module.css';

/** The label of a version with its time; `sub` is the line below it. */
export function useVersionWords(): (version: ShownVersion) => { readonly title: string; readonly sub: string } {
  const t = useText();
  const formats = useFormats();
  const { detail } = useEditor();
  const isImported = isTextName(detail.sourceName);
  return ({ kind, atMs, name, label, editCount }) => {
    const time = formats.time(atMs ?? detail.createdAtMs);
    const edits = t('versions.edits', { count: editCount });
    switch (kind) {
      case 'now':
        // How it differs from the chosen version stands beside that one.
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

const whats = ['replace-all', 'listen-again', 'restore', 'conflict', 'delete', 'silences'] as const;

function whatOf(label: string | null, t: ReturnType<typeof useText>): string {
  const what = whats.find((one) => one === label);
  return what === undefined ? '' : t(`versions.what.${what}`);
}

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

function iconOf({ kind, label }: ShownVersion, isImported: boolean): keyof typeof icons {
  if (kind === 'before' && (label === 'listen-again' || label === 'restore')) return label;
  return kind === 'service' && isImported ? 'imported' : kind;
}

/** All versions by day, newest first; each but the first result can be named. */
export function VersionList({ versions }: { readonly versions: Versions }) {
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
        <h2>{t('versions.title')}</h2>
        <Button
          size="sm"
          className={css['saveNow']}
          isDisabled={now === undefined || now.revision === 0}
          onPress={() => {
            setAsked(now ?? null);
          }}
        >
          {t('versions.saveNow')}
        </Button>
      </div>
      <ol className={css['list']} aria-label={t('versions.title')}>
        {listed.map((version, at) => {
          const previous = listed[at - 1];
          const isNewDay = previous === undefined ? false : dayOf(previous) !== dayOf(version);
          return (
            <li key={`${version.kind}-${String(version.revision)}`}>
              {isNewDay && <h3 className={css['day']}>{dayOf(version)}</h3>}
              <VersionRow
                version={version}
                versions={versions}
                onRename={() => {
                  setAsked(version);
                }}
              />
            </li>
          );
        })}
      </ol>
      <p className={css['hint']}>{t('versions.restoreHint')}</p>
      {asked !== null && (
        <NameDialog
          title={t(asked.kind === 'now' ? 'versions.saveNow' : 'library.rename')}
          name={asked.name ?? ''}
          onClose={() => {
            setAsked(null);
          }}
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
          onClick={() => {
            choose(revision);
          }}
        >
          <Icon aria-hidden size={15} strokeWidth={1.75} />
          <span className={css['words']}>
            <b>{title}</b>
            <span>{sub}</span>
          </span>
          {isChosen && before !== null && changes > 0 && (
            <span className={css['changes']}>{t('versions.changes', { count: changes })}</span>
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

interface NameDialogProps {
  readonly title: string;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onClose: () => void;
}

function NameDialog({ title, name: before, onName, onClose }: NameDialogProps) {
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
      closeLabel={t('common.close')}
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
        onChange={(typed) => {
          setName(typed.slice(0, 120));
        }}
        onEnter={done}
        isAutoFocused
      />
    </Dialog>
  );
}
