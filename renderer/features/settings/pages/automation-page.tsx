import { useMutation, useQuery } from '@tanstack/react-query';
import { FolderOpen, FolderPlus, RotateCw } from 'lucide-react';
import { useState } from 'react';
import {
  copyCollisions,
  copyName,
  copyNameParts,
  templateFault,
} from '../../../../shared/domain/exports/safe-file-name.ts';
import { textFormats } from '../../../../shared/domain/exports/formats.ts';
import { useJobs, useSettings } from '../../../bridge/live-state.tsx';
import { valueOrThrow } from '../../../bridge/request-error.ts';
import { useStudio } from '../../../bridge/studio-context.tsx';
import { useCopiesSwitch, useFolderChoice, useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { FormatChips, NameTemplate } from '../../../parts/exports/many-exports.tsx';
import { Button } from '../../../ui/button.tsx';
import { Segmented } from '../../../ui/segmented.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { Setting, Hint, SettingRow, SettingsGroup, SwitchSetting } from '../ui/settings-group.tsx';
import css from './automation-page.module.css';

const exampleMs = new Date(2026, 10, 20, 14, 5).getTime();

export function AutomationPage() {
  const t = useText();
  const { copyFolderName, copyCollision } = useSettings();
  const change = useSettingsChange();
  const copies = useCopiesSwitch();
  const choose = useFolderChoice();
  return (
    <>
      <SettingsGroup title={t('settings.automation.noticeGroup')}>
        <SwitchSetting name="notify" of="notifiesWhenDone" />
        <SwitchSetting name="awake" of="keepsAwake" />
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
        {copies.isOn && (
          <>
            <SettingRow label={t('settings.automation.folder')} hint={copyFolderName}>
              <Button
                icon={FolderOpen}
                label={t('settings.automation.chooseCopies')}
                onPress={() => void choose('copies')}
              >
                {t('settings.automation.choose')}
              </Button>
            </SettingRow>
            <CopyFormats />
            <CopyTemplate />
            <SettingRow label={t('settings.automation.collision')}>
              <Segmented
                label={t('settings.automation.collision')}
                options={copyCollisions.map((value) => ({ value, text: t(`settings.automation.collisions.${value}`) }))}
                value={copyCollision}
                onChange={(chosen) => void change({ copyCollision: chosen })}
              />
            </SettingRow>
          </>
        )}
      </SettingsGroup>
      <SettingsGroup title={t('settings.automation.watchGroup')} name="watch">
        <WatchedFolders />
      </SettingsGroup>
      <SettingsGroup title={t('settings.automation.logGroup')} name="done">
        <AutomationLog />
      </SettingsGroup>
    </>
  );
}

function WatchedFolders() {
  const t = useText();
  const { watchedFolders } = useSettings();
  const studio = useStudio();
  const choose = useFolderChoice();
  return (
    <>
      <SettingRow label={t('settings.automation.watch')} hint={t('settings.automation.watchHint')}>
        <Button icon={FolderPlus} onPress={() => void choose('watch')}>
          {t('settings.automation.addWatch')}
        </Button>
      </SettingRow>
      {watchedFolders.map(({ id, name }) => (
        <SettingRow key={id} label={name}>
          <Button
            variant="ghost"
            label={t('settings.automation.stopWatchingOf', { folder: name })}
            onPress={() => void studio.request('automation.stopWatching', { id })}
          >
            {t('settings.automation.stopWatching')}
          </Button>
        </SettingRow>
      ))}
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
  const words = useFailureText();
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
        <Button size="sm" icon={RotateCw} isLoading={retry.isPending} onPress={() => retry.mutate()}>
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
            <time className="apart digits">{`${formats.date(atMs)}, ${formats.time(atMs)}`}</time>
          </li>
        ))}
      </ol>
    </>
  );
}

function CopyTemplate() {
  const t = useText();
  const { speechLanguage, copyTemplate } = useSettings();
  const change = useSettingsChange();
  const [typed, setTyped] = useState(copyTemplate);
  const facts = { sourceName: 'Suhbat.mp3', finishedAtMs: exampleMs, language: speechLanguage, speakerCount: 2 };
  return (
    <NameTemplate
      label={t('settings.automation.template')}
      value={typed}
      hint={t('settings.automation.templateHint', {
        parts: copyNameParts.map((part) => `{${part}}`).join(' '),
        example: copyName(typed, facts, '.txt'),
      })}
      onChange={setTyped}
      onDone={() => {
        if (templateFault(typed) === null && typed !== copyTemplate) void change({ copyTemplate: typed });
      }}
    />
  );
}

/** One or more; the last one stays. */
function CopyFormats() {
  const t = useText();
  const { copyFormats } = useSettings();
  const change = useSettingsChange();
  return (
    <SettingRow label={t('settings.automation.formats')}>
      <FormatChips
        disallowEmptySelection
        offered={textFormats}
        chosen={copyFormats}
        onChange={(formats) => void change({ copyFormats: formats })}
      />
    </SettingRow>
  );
}
