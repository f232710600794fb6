import {
  mergeCsv,
  patternOf,
  withoutChange,
  type Replacement,
} from '../../../../shared/domain/dictation/replacement-list.ts';
import { ArrowRight, ChevronDown, Download, FileUp, MoreHorizontal, Pencil, Plus, Trash2 } from 'lucide-react';
import { useRef, useState } from 'react';
import { useSettings, useSettingsNow } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { cx } from '../../../lib/class-names.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { command, Menu } from '../../../ui/menu.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import css from '../dictate.module.css';

const mostKept = 2000;
/** The others are one press away. */
const fewShown = 3;

/** The replacements for the language of dictation; all of them can be exported and imported as a CSV. */
export function Replacements() {
  const t = useText();
  const { replacements, dictationLanguage } = useSettings();
  const change = useSettingsChange();
  const undoChange = useUndoneChange();
  const showUndo = useUndoNotice();
  /** The one being edited, or a new one; null: none. */
  const [draft, setDraft] = useState<{ readonly before: Replacement | null; readonly now: Replacement } | null>(null);
  const [isWhole, setIsWhole] = useState(false);
  const shown = replacements.filter(({ language }) => language === null || language === dictationLanguage);
  const empty: Replacement = { language: dictationLanguage, say: '', write: '', kind: 'word', isCaseSensitive: false };
  const save = ({ before, now }: { readonly before: Replacement | null; readonly now: Replacement }) => {
    const rest = replacements.filter(
      (other) => other !== before && !(other.say === now.say && other.language === now.language),
    );
    const after = [...rest, { ...now, say: now.say.trim() }];
    void change({ replacements: after });
    setDraft(null);
    // What was said already is written anew.
    showUndo({
      text: t('dictation.replacements.applied', { say: now.say.trim(), write: now.write }),
      undo: () => {
        undoChange({ before: replacements, after });
      },
    });
  };
  const few = isWhole ? shown : shown.slice(0, fewShown);
  return (
    <>
      <h2 className={cx(css['between'], 'small medium muted')}>
        {t('dictation.replacements.title')}
        <IconButton
          size="sm"
          icon={Plus}
          label={t('dictation.replacements.add')}
          onPress={() => setDraft({ before: null, now: empty })}
        />
      </h2>
      {shown.length === 0 && draft === null && <p className={css['hint']}>{t('dictation.replacements.none')}</p>}
      <ul className={css['pairs']}>
        {few.map((one) => (
          <li key={`${one.language ?? ''} ${one.say}`}>
            <span lang={dictationLanguage}>{one.say}</span>
            <ArrowRight aria-hidden size={14} />
            <b className={css['strong']} lang={dictationLanguage}>
              {one.write}
            </b>
            <Menu
              label={t('common.more')}
              placement="bottom end"
              entries={[
                command('change', Pencil, t('dictation.replacements.change'), () =>
                  setDraft({ before: one, now: one }),
                ),
                command(
                  'remove',
                  Trash2,
                  t('dictation.replacements.remove'),
                  () => void change({ replacements: replacements.filter((other) => other !== one) }),
                  { isDanger: true },
                ),
              ]}
              trigger={<IconButton size="sm" icon={MoreHorizontal} label={t('common.more')} />}
            />
          </li>
        ))}
      </ul>
      {draft !== null && (
        <ReplacementForm
          draft={draft.now}
          onDraft={(now) => setDraft({ ...draft, now })}
          onSave={() => save(draft)}
          onCancel={() => setDraft(null)}
        />
      )}
      {draft === null && (
        <div className={css['between']}>
          {shown.length > few.length && (
            <Button size="sm" variant="ghost" onPress={() => setIsWhole(true)}>
              {t('dictation.replacements.all', { count: shown.length })}
            </Button>
          )}
          {shown.length === few.length && <AsFile />}
        </div>
      )}
    </>
  );
}

/** Undoes one change of the replacements and leaves what was changed since. */
function useUndoneChange() {
  const settingsNow = useSettingsNow();
  const change = useSettingsChange();
  return (undone: Parameters<typeof withoutChange>[1]): void => {
    void change({ replacements: [...withoutChange(settingsNow().replacements, undone)] });
  };
}

interface ReplacementFormProps {
  readonly draft: Replacement;
  readonly onDraft: (draft: Replacement) => void;
  readonly onSave: () => void;
  readonly onCancel: () => void;
}

function ReplacementForm({ draft, onDraft, onSave, onCancel }: ReplacementFormProps) {
  const t = useText();
  // What few need is shown to those who have used it.
  const [isMore, setIsMore] = useState(draft.kind !== 'word' || draft.isCaseSensitive);
  const isEmpty = draft.say.trim() === '';
  const isWrong = !isEmpty && patternOf(draft) === null;
  const save = () => {
    if (!isEmpty && !isWrong) onSave();
  };
  return (
    <>
      <Field
        isAutoFocused
        label={t('dictation.replacements.say')}
        value={draft.say}
        onChange={(say) => {
          onDraft({ ...draft, say });
        }}
        onEnter={save}
        {...(isWrong ? { error: t('dictation.replacements.wrong') } : {})}
      />
      <Field
        label={t('dictation.replacements.write')}
        value={draft.write}
        onChange={(write) => {
          onDraft({ ...draft, write });
        }}
        onEnter={save}
      />
      {isMore && (
        <>
          <Segmented
            isBlock
            size="sm"
            label={t('dictation.replacements.kind')}
            value={draft.kind}
            options={(['word', 'part', 'pattern'] as const).map((value) => ({
              value,
              text: t(`dictation.replacements.kinds.${value}`),
            }))}
            onChange={(kind) => {
              onDraft({ ...draft, kind });
            }}
          />
          <Switch
            label={t('dictation.replacements.case')}
            isOn={draft.isCaseSensitive}
            onChange={(isCaseSensitive) => {
              onDraft({ ...draft, isCaseSensitive });
            }}
          />
        </>
      )}
      <div className="row gap-8 thin">
        <Button size="sm" variant="primary" isDisabled={isEmpty || isWrong} onPress={save}>
          {t('dictation.replacements.save')}
        </Button>
        <Button size="sm" variant="ghost" onPress={onCancel}>
          {t('common.cancel')}
        </Button>
        {!isMore && (
          <Button size="sm" variant="ghost" iconAfter={ChevronDown} onPress={() => setIsMore(true)}>
            {t('common.more')}
          </Button>
        )}
      </div>
    </>
  );
}

/** All replacements of all languages as a CSV. An imported file is merged: it wins where both have an entry. */
function AsFile() {
  const t = useText();
  const studio = useStudio();
  const showToast = useToast();
  const showUndo = useUndoNotice();
  const failureWords = useFailureText();
  const change = useSettingsChange();
  const undoChange = useUndoneChange();
  const { replacements } = useSettings();
  const input = useRef<HTMLInputElement>(null);
  const take = async (file: File) => {
    const { replacements: merged, added, changed, unreadable } = mergeCsv(replacements, await file.text());
    const taken = merged.slice(0, mostKept);
    await change({ replacements: [...taken] });
    const counts = { added, changed, unreadable: unreadable.length + merged.length - taken.length };
    showUndo({
      text: t('dictation.replacements.merged', counts),
      undo: () => {
        undoChange({ before: replacements, after: taken });
      },
    });
  };
  const save = async () => {
    const saved = await studio.request('dictation.saveReplacements', {});
    if (!saved.ok) showToast({ text: failureWords(saved.error).title });
    else if (saved.value.savedAs !== null) showToast({ text: t('dictation.replacements.saved', saved.value) });
  };
  return (
    <>
      <input
        ref={input}
        hidden
        type="file"
        accept=".csv,text/csv"
        aria-label={t('dictation.replacements.import')}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) void take(file);
          target.value = '';
        }}
      />
      <Menu
        label={t('common.more')}
        placement="bottom end"
        entries={[
          {
            id: 'import',
            text: t('dictation.replacements.import'),
            icon: FileUp,
            onAction: () => input.current?.click(),
          },
          {
            id: 'export',
            text: t('dictation.replacements.export'),
            icon: Download,
            isDisabled: replacements.length === 0,
            onAction: () => void save(),
          },
        ]}
        trigger={
          <Button size="sm" variant="ghost" iconAfter={ChevronDown}>
            {t('dictation.replacements.asFile')}
          </Button>
        }
      />
    </>
  );
}
