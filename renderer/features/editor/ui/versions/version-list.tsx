import { Check, Cloud, Ear, FileDown, GitCompareArrows, Pencil, Replace, Undo2, type LucideIcon } from 'lucide-react';
import { useState } from 'react';
import { isTextName } from '../../../../../shared/domain/imports/read-subtitles.ts';
import { cx } from '../../../../lib/class-names.ts';
import { useFormats, useText } from '../../../../lib/text.ts';
import { Button } from '../../../../ui/button.tsx';
import { Dialog } from '../../../../ui/dialog.tsx';
import { Field } from '../../../../ui/field.tsx';
import { useEditor } from '../../editor-context.ts';
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

const icons: Readonly<Record<ShownVersion['kind'], LucideIcon>> = {
  now: Pencil,
  named: Check,
  before: Replace,
  session: Pencil,
  account: GitCompareArrows,
  service: Cloud,
};

const iconOf = ({ kind, label }: ShownVersion): LucideIcon => {
  if (kind === 'before' && label === 'listen-again') return Ear;
  return kind === 'before' && label === 'restore' ? Undo2 : icons[kind];
};

/** All versions by day, newest first; the current one can be named. */
export function VersionList({ versions }: { readonly versions: Versions }) {
  const t = useText();
  const formats = useFormats();
  const words = useVersionWords();
  const { detail } = useEditor();
  const [isNaming, setIsNaming] = useState(false);
  const listed = versions.versions ?? [];
  const dayOf = ({ atMs }: ShownVersion) => formats.date(atMs ?? detail.createdAtMs);
  const isEdited = listed.some(({ kind, revision }) => kind === 'now' && revision > 0);
  const changes = versions.rows.filter(({ isSame }) => !isSame).length;
  return (
    <aside className={css['side']} aria-label={t('versions.title')} data-pane="inspector">
      <div className={css['sideHead']}>
        <h2>{t('versions.title')}</h2>
        <Button
          size="sm"
          variant="ghost"
          isDisabled={!isEdited}
          onPress={() => {
            setIsNaming(true);
          }}
        >
          {t('versions.nameThis')}
        </Button>
      </div>
      <ol className={css['list']} aria-label={t('versions.title')}>
        {listed.map((version, at) => {
          const Icon = version.kind === 'service' && isTextName(detail.sourceName) ? FileDown : iconOf(version);
          const { title, sub } = words(version);
          const previous = listed[at - 1];
          const isNewDay = previous === undefined ? false : dayOf(previous) !== dayOf(version);
          const isChosen = version.kind !== 'now' && version.revision === versions.chosen?.revision;
          return (
            <li key={`${version.kind}-${String(version.revision)}`}>
              {isNewDay && <h3 className={css['day']}>{dayOf(version)}</h3>}
              <button
                type="button"
                className={cx(css['version'], isChosen && css['chosen'])}
                aria-current={isChosen}
                disabled={version.kind === 'now'}
                onClick={() => {
                  versions.choose(version.revision);
                }}
              >
                <Icon aria-hidden size={15} strokeWidth={1.75} />
                <span className={css['words']}>
                  <b>{title}</b>
                  <span>{sub}</span>
                </span>
                {isChosen && versions.before !== null && changes > 0 && (
                  <span className={css['changes']}>{t('versions.changes', { count: changes })}</span>
                )}
              </button>
            </li>
          );
        })}
      </ol>
      <p className={css['hint']}>{t('versions.restoreHint')}</p>
      {isNaming && (
        <NameDialog
          onClose={() => {
            setIsNaming(false);
          }}
          onName={(name) => void versions.name(name)}
        />
      )}
    </aside>
  );
}

function NameDialog({ onName, onClose }: { readonly onName: (name: string) => void; readonly onClose: () => void }) {
  const t = useText();
  const [name, setName] = useState('');
  const isEmpty = name.trim() === '';
  const done = () => {
    if (isEmpty) return;
    onName(name);
    onClose();
  };
  return (
    <Dialog
      title={t('versions.nameThis')}
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
