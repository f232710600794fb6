import { AudioLines, Blend, CircleAlert, Download, FileCog, Layers, Video, Waves, X } from 'lucide-react';
import { useState } from 'react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { IsolatedAudio, Settings } from '../../../bridge/types.ts';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { formatEntries, savedFormats } from '../../../parts/jobs/job-actions.ts';
import { useJobList } from '../../../parts/jobs/jobs-context.ts';
import { Button } from '../../../ui/button.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { SplitButton } from '../../../ui/split-button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-provider.tsx';
import { saveMix, type IsolationResult } from '../save-mix.ts';
import { useHeardName, type Comparison } from './use-comparison.ts';

export const mixFormats = ['wav', 'flac', 'mp3', 'ogg', 'm4a'] as const satisfies readonly Settings['isolatedFormat'][];
type Format = (typeof mixFormats)[number] | 'video';

const icons = { isolated: AudioLines, variant: AudioLines, blend: Blend, removed: Waves } as const;

interface Saving {
  readonly share: number;
  readonly stop: () => void;
}

/** Saves what is heard, aligned with the original; where that fails, the files of the service. */
export function useSave(audio: IsolatedAudio, comparison: Comparison | null) {
  const t = useText();
  const formats = useFormats();
  const store = useIsolate();
  const { isolatedFormat } = useSettings();
  const words = useFailureText();
  const studio = useStudio();
  const showToast = useToast();
  const { showSaved } = useJobList();
  const heardName = useHeardName(comparison);
  const [saving, setSaving] = useState<Saving | null>(null);
  const [isFetching, setFetching] = useState(false);
  const nameOf = (result: IsolationResult) =>
    result.tag === 'blend'
      ? t('isolate.results.blend', { share: formats.percent(result.share + 1e-9) })
      : heardName(result.tag);
  const mix = async (result: IsolationResult, format: Format) => {
    if (comparison === null) return;
    const { audioId, urls, pair } = comparison;
    const wanted = { audioId, format, result, urls, measures: pair.measures, placeToken: null };
    const outcome = await saveMix(studio, wanted, (share, stop) => setSaving({ share, stop }));
    setSaving(null);
    if (outcome.tag === 'saved') showSaved({ savedAs: outcome.name, revealToken: outcome.revealToken });
    if (outcome.tag === 'failed') showToast({ icon: CircleAlert, text: words(outcome.failure).text });
    if (outcome.tag === 'not-mixed') showToast({ icon: CircleAlert, text: t('isolate.compare.mixFailed') });
  };
  const wait = async (saved: ReturnType<typeof store.ask<'isolation.save' | 'isolation.saveJoined'>>) => {
    setFetching(true);
    showSaved(await saved);
    setFetching(false);
  };
  const fetch = (format: (typeof savedFormats)[number] | 'original') =>
    void wait(store.ask('isolation.save', { audioId: audio.audioId, format }));
  const original = {
    id: 'original',
    text: t('isolate.results.original'),
    onAction: () => fetch('original'),
  };
  const joined: readonly MenuEntry[] =
    audio.part?.isJoinable === true
      ? [
          'separator',
          {
            id: 'joined',
            icon: Layers,
            text: t('isolate.part.saveJoined'),
            entries: formatEntries(['wav', 'flac', 'mp3'], (format) => {
              void wait(store.ask('isolation.saveJoined', { audioId: audio.audioId, format }));
            }),
          },
        ]
      : [];
  const isLost = comparison === null || comparison.pair.status === 'failed';
  const heard = comparison?.result as IsolationResult | undefined;
  const results: readonly IsolationResult[] =
    comparison === null
      ? []
      : [
          { tag: 'isolated' },
          ...(comparison.hasVariant ? [{ tag: 'variant' } as const] : []),
          { tag: 'blend', share: comparison.share },
          { tag: 'removed' },
        ];
  const videoHeard: IsolationResult = heard === undefined || heard.tag === 'removed' ? { tag: 'isolated' } : heard;
  const entries: readonly MenuEntry[] = isLost
    ? [...formatEntries(savedFormats, fetch), original, ...joined]
    : [
        ...results.map((result) => ({
          id: result.tag,
          icon: icons[result.tag],
          text: nameOf(result),
          detail: isolatedFormat.toUpperCase(),
          onAction: () => void mix(result, isolatedFormat),
        })),
        ...(audio.video === null
          ? []
          : ([
              'separator',
              {
                id: 'video',
                icon: Video,
                text: t(`isolate.results.${videoHeard.tag === 'blend' ? 'videoBlend' : 'video'}`, {
                  share: formats.percent(comparison?.share ?? 0),
                }),
                detail: audio.losesSubtitles
                  ? t('isolate.results.withoutSubtitles', { format: audio.video.toUpperCase() })
                  : audio.video.toUpperCase(),
                onAction: () => void mix(videoHeard, 'video'),
              },
            ] as const)),
        ...joined,
        'separator',
        {
          id: 'formats',
          icon: FileCog,
          text: t('isolate.results.otherFormat'),
          entries: [...formatEntries(mixFormats, (format) => heard && void mix(heard, format)), original],
        },
      ];
  const canSave = saving === null && !isFetching && (isLost || comparison.pair.measures !== null);
  const saveHeard = () => (isLost || heard === undefined ? fetch('mp3') : void mix(heard, isolatedFormat));
  useCommands({ 'isolate.save': canSave && saveHeard });
  return { saving, isFetching, canSave, entries, saveHeard };
}

export type Save = ReturnType<typeof useSave>;

export function SaveButton({ save, isQuiet = false }: { readonly save: Save; readonly isQuiet?: boolean }) {
  const t = useText();
  const formats = useFormats();
  const keyFor = useKeyFor();
  const { saving, isFetching, canSave, entries, saveHeard } = save;
  if (saving !== null)
    return (
      <Button icon={X} label={t('isolate.results.stop')} onPress={saving.stop}>
        {t('isolate.results.saving', { percent: formats.percent(saving.share) })}
      </Button>
    );
  return (
    <SplitButton
      variant={isQuiet ? 'default' : 'primary'}
      icon={Download}
      text={t('common.save')}
      tip={{ text: t('palette.commands.isolateSave'), shortcut: keyFor('isolate.save') }}
      isLoading={isFetching}
      isDisabled={!canSave && !isFetching}
      menuLabel={t('isolate.results.choose')}
      entries={entries}
      onPress={saveHeard}
    />
  );
}
