import { GitCompareArrows } from 'lucide-react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { useEditor } from '../editor-context.ts';
import { useSync } from '../use-sync.ts';
import css from './inspector.module.css';

/** Whether this text is in the account at the service, and whether edits are sent there. */
export function AccountText() {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const { detail, store } = useEditor();
  const { syncsEdits } = useSettings();
  const change = useSettingsChange();
  const { data, refetch } = useSync();
  if (data === undefined) return null;
  const { state, sentAtMs, failure } = data;
  const isSent = state === 'same' && sentAtMs !== null;
  return (
    <section className={css['section']} aria-label={t('editor.account.title')}>
      <h2 className={css['heading']}>{t('editor.account.title')}</h2>
      {state !== 'not-there' && (
        <Switch
          label={t('editor.account.keep')}
          hint={t('editor.account.keepHint')}
          isOn={syncsEdits}
          onChange={(isOn) => {
            void change({ syncsEdits: isOn })
              .then(() => studio.request('transcripts.sync', { transcriptId: detail.id, sends: isOn }))
              .then(() => refetch());
          }}
        />
      )}
      <output className={css['account']}>
        {isSent ? t('editor.account.sent', { time: formats.time(sentAtMs) }) : t(`editor.account.${state}`)}
        {failure !== null && state === 'waiting' && ` ${words(failure).text}`}
      </output>
      {state === 'conflict' && (
        <Button
          icon={GitCompareArrows}
          onPress={() => {
            store.showView('versions');
          }}
        >
          {t('editor.account.compare')}
        </Button>
      )}
    </section>
  );
}
