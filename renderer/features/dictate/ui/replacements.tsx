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
import { useFailureText } from '../../../lib/failure-text.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import { IconButton } from '../../../ui/icon-button.tsx';
import { Menu } from '../../../ui/menu.tsx';
import { InspectorSection } from '../../../ui/panel.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useUndoNotice } from '../../../ui/notices.ts';
import shared from '../dictate-screen.module.css';
import css from './replacements.module.css';

const mostKept = 2000;

/** The replacements for the language of dictation; all of them can be exported and imported as a CSV. */
export function Replacements() {
  const t = useText();
  const { replacements, dictationLanguage } = useSettings();
  const change = useSettingsChange();
  const undoChange = useUndoneChange();
  const showUndo = useUndoNotice();
  /** The one being edited, or a new one; null: none. */
  const [draft, setDraft] = useState<{ readonly before: Replacement | null; readonly now: Replacement } | null>(null);
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
  return (
    <InspectorSection title={t('dictation.replacements.title')}>
      {shown.length === 0 && draft === null && <p className={shared['hint']}>{t('dictation.replacements.none')}</p>}
      <ul className={css['replacements']}>
        {shown.map((one) => (
          <li key={`${one.language ?? ''} ${one.say}`}>
            <span lang={dictationLanguage}>{one.say}</span>
            <ArrowRight aria-hidden size={14} />
            <b lang={dictationLanguage}>{one.write}</b>
            <Menu
              label={t('common.more')}
              placement="bottom end"
              entries={[
                {
                  id: 'change',
                  text: t('dictation.replacements.change'),
                  icon: Pencil,
                  onAction: () => {
                    setDraft({ before: one, now: one });
                  },
                },
                {
                  id: 'remove',
                  text: t('dictation.replacements.remove'),
                  icon: Trash2,
                  isDanger: true,
                  onAction: () => void change({ replacements: replacements.filter((other) => other !== one) }),
                },
              ]}
              trigger={<IconButton size="sm" icon={MoreHorizontal} label={t('common.more')} />}
            />
          </li>
        ))}
      </ul>
      {draft === null ? (
        <div className={css['words-row']}>
          <Button
            size="sm"
            variant="ghost"
            icon={Plus}
            onPress={() => {
              setDraft({ before: null, now: empty });
            }}
          >
            {t('dictation.replacements.add')}
          </Button>
          <AsFile />
        </div>
      ) : (
        <ReplacementForm
          draft={draft.now}
          onDraft={(now) => {
            setDraft({ ...draft, now });
          }}
          onSave={() => save(draft)}
          onCancel={() => {
            setDraft(null);
          }}
        />
      )}
    </InspectorSection>
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
  const isEmpty = draft.say.trim() === '';
  const isWrong = !isEmpty && patternOf(draft) === null;
  const save = () => {
    if (!isEmpty && !isWrong) onSave();
  };
  return (
    <div className={css['adding']}>
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
      <div className={css['words-row']}>
        <Button size="sm" variant="primary" isDisabled={isEmpty || isWrong} onPress={save}>
          {t('dictation.replacements.save')}
        </Button>
        <Button size="sm" variant="ghost" onPress={onCancel}>
          {t('common.cancel')}
        </Button>
      </div>
    </div>
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
