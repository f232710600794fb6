import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useText } from '../../../lib/text.ts';
import { Switch } from '../../../ui/switch.tsx';
import { useStorage } from '../model/use-storage.ts';
import { CleanRow } from '../ui/clean-row.tsx';
import { DeleteTranscripts } from '../ui/delete-transcripts.tsx';
import { EraseEverything } from '../ui/erase-everything.tsx';
import { SaveReport } from '../ui/save-report.tsx';
import { Setting, SettingsGroup } from '../ui/settings-group.tsx';
import { StorageNews } from '../ui/storage-news.tsx';
import css from '../ui/settings-pages.module.css';

const kept = ['transcripts', 'recordings', 'key', 'log'] as const;
const sent = ['service', 'practice', 'others', 'microphone'] as const;

export function PrivacyPage() {
  const t = useText();
  const { keepsLog } = useSettings();
  const change = useSettingsChange();
  const storage = useStorage();
  return (
    <>
      <SettingsGroup title={t('settings.privacy.keptGroup')}>
        <Setting name="kept">
          <StatementList
            statements={kept.map((one) => ({
              about: t(`settings.privacy.kept.${one}`),
              text: t(`settings.privacy.kept.${one}Text`),
            }))}
          />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.privacy.sentGroup')}>
        <Setting name="sent">
          <StatementList
            statements={sent.map((one) => ({
              about: t(`settings.privacy.sent.${one}`),
              text: t(`settings.privacy.sent.${one}Text`),
            }))}
          />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.privacy.logGroup')}>
        <Setting name="keepLog">
          <Switch
            label={t('settings.privacy.keepLog')}
            hint={t('settings.privacy.keepLogHint')}
            isOn={keepsLog}
            onChange={(isKept) => void change({ keepsLog: isKept })}
          />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.privacy.reportGroup')}>
        <Setting name="report">
          <SaveReport />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('deletion.group')}>
        <Setting name="deleteOne">
          <DeleteTranscripts />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.privacy.eraseGroup')}>
        <CleanRow part="practice" storage={storage} />
        <Setting name="erase">
          <EraseEverything />
        </Setting>
        <StorageNews storage={storage} />
      </SettingsGroup>
    </>
  );
}

/** Plain statements, each under what it is about. */
function StatementList({
  statements,
}: {
  readonly statements: readonly { readonly about: string; readonly text: string }[];
}) {
  return (
    <dl className={css['list']}>
      {statements.map(({ about, text }) => (
        <div key={about} className={css['statement']}>
          <dt>{about}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  );
}
