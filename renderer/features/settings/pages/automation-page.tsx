import { useMutation, useQuery } from '@tanstack/react-query';
import { FolderOpen, RotateCw } from 'lucide-react';
import { copyCollisions } from '../../../../shared/domain/exports/copy-name.ts';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useJobs, useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useCopiesSwitch, useFolderChoice, useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFailureWords } from '../../../lib/failure-words.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { CopyFormats } from '../ui/copy-formats.tsx';
import { CopyTemplate } from '../ui/copy-template.tsx';
import { Setting, Hint, SettingRow, SettingsGroup } from '../ui/settings-group.tsx';
import css from './automation-page.module.css';

/** What the app does automatically: notifications, exports of finished texts, recordings from a watched folder. */
export function AutomationPage() {
  const t = useText();
  const settings = useSettings();
  const change = useSettingsChange();
  const studio = useStudio();
  const copies = useCopiesSwitch();
  const choose = useFolderChoice();
  const { copyFolderName, watchFolderName } = settings;
  return (
    <>
      <SettingsGroup title={t('settings.automation.noticeGroup')}>
        <Setting name="notify">
          <Switch
            label={t('settings.automation.notify')}
            hint={t('settings.automation.notifyHint')}
            isOn={settings.notifiesWhenDone}
            onChange={(notifiesWhenDone) => void change({ notifiesWhenDone })}
          />
        </Setting>
        <Setting name="awake">
          <Switch
            label={t('settings.automation.awake')}
            hint={t('settings.automation.awakeHint')}
            isOn={settings.keepsAwake}
            onChange={(keepsAwake) => void change({ keepsAwake })}
          />
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.automation.copiesGroup')}>
        <Setting name="copies">
          <Switch
            label={t('settings.automation.copies')}
            hint={t('settings.automation.copiesHint')}
            isOn={copies.isOn}
            onChange={(isOn) => void copies.turn(isOn)}
          />
        </Setting>
        <SettingRow label={t('settings.automation.folder')} hint={copyFolderName ?? t('settings.automation.noFolder')}>
          <Button icon={FolderOpen} label={t('settings.automation.chooseCopies')} onPress={() => void choose('copies')}>
            {t('settings.automation.choose')}
          </Button>
        </SettingRow>
        <CopyFormats value={settings.copyFormats} onChange={(copyFormats) => void change({ copyFormats })} />
        <CopyTemplate value={settings.copyTemplate} onChange={(copyTemplate) => void change({ copyTemplate })} />
        <SettingRow label={t('settings.automation.collision')}>
          <Segmented
            label={t('settings.automation.collision')}
            options={copyCollisions.map((value) => ({ value, text: t(`settings.automation.collisions.${value}`) }))}
            value={settings.copyCollision}
            onChange={(copyCollision) => void change({ copyCollision })}
          />
        </SettingRow>
      </SettingsGroup>
      <SettingsGroup title={t('settings.automation.watchGroup')}>
        <Setting name="watch">
          <SettingRow
            label={
              watchFolderName === null
                ? t('settings.automation.watch')
                : t('settings.automation.watching', { folder: watchFolderName })
            }
            hint={t('settings.automation.watchHint')}
          >
            {watchFolderName !== null && (
              <Button variant="ghost" onPress={() => void studio.request('automation.stopWatching', {})}>
                {t('settings.automation.stopWatching')}
              </Button>
            )}
            <Button icon={FolderOpen} label={t('settings.automation.chooseWatch')} onPress={() => void choose('watch')}>
              {t('settings.automation.choose')}
            </Button>
          </SettingRow>
        </Setting>
      </SettingsGroup>
      <SettingsGroup title={t('settings.automation.logGroup')}>
        <Setting name="done">
          <AutomationLog />
        </Setting>
      </SettingsGroup>
    </>
  );
}

const wordsOf = {
  copy: { done: 'copyDone', skipped: 'copySkipped', failed: 'copyFailed' },
  watch: { done: 'watchDone', skipped: 'watchSkipped', failed: 'watchFailed' },
} as const;

/** Read again when something ends in the queue, which is when entries are written. */
function AutomationLog() {
  const t = useText();
  const formats = useFormats();
  const words = useFailureWords();
  const studio = useStudio();
  const { jobs } = useJobs();
  const endedCount = jobs.filter(({ state }) => state.tag === 'done' || state.tag === 'preparing').length;
  const { data, refetch } = useQuery({
    queryKey: ['automation', endedCount],
    queryFn: () => valueOrThrow(studio.request('automation.log', {})),
    placeholderData: (before) => before,
  });
  const retry = useMutation({
    mutationFn: () => valueOrThrow(studio.request('automation.retryCopies', {})),
    onSettled: () => refetch(),
  });
  if (data === undefined || data.entries.length === 0) return <Hint>{t('settings.automation.logEmpty')}</Hint>;
  const hasFailed = data.entries.some(({ kind, outcome }) => kind === 'copy' && outcome === 'failed');
  return (
    <>
      {hasFailed && (
        <Button
          size="sm"
          icon={RotateCw}
          isLoading={retry.isPending}
          onPress={() => {
            retry.mutate();
          }}
        >
          {t('settings.automation.retryCopies')}
        </Button>
      )}
      <ol className={css['log']}>
        {data.entries.map(({ kind, name, atMs, outcome, failure }) => (
          <li key={`${kind} ${name} ${String(atMs)}`} className={css['line']}>
            <span className={css['name']}>{name}</span>
            <span>
              {t(`settings.automation.log.${wordsOf[kind][outcome]}`)}
              {failure && `: ${words(failure).title}`}
            </span>
            <time className={css['time']}>{`${formats.date(atMs)}, ${formats.time(atMs)}`}</time>
          </li>
        ))}
      </ol>
    </>
  );
}
