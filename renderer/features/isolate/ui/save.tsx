import { AudioLines, Blend, CircleAlert, Download, FileCog, Layers, Video, Waves, X } from 'lucide-react';
import { useState } from 'react';
import { mixGains, peakGain, type Listening } from '../../../audio/compare/compare-measures.ts';
import type { MixRequest } from '../../../audio/compare/mix-worker.ts';
import { renderMix } from '../../../audio/compare/render-mix.ts';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useStudio } from '../../../bridge/studio-context.tsx';
import type { IsolatedAudio, Settings } from '../../../bridge/types.ts';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { useFailureText } from '../../../lib/failure-text.ts';
import { useFormats, useText } from '../../../lib/text.ts';
import { savedFormats, useSavedToast } from '../../../parts/jobs/job-actions.ts';
import { Button } from '../../../ui/button.tsx';
import type { MenuEntry } from '../../../ui/menu.tsx';
import { SplitButton } from '../../../ui/split-button.tsx';
import { useToast } from '../../../ui/toast.tsx';
import { useIsolate } from '../isolate-store.ts';
import { useHeardName, type Comparison } from './use-comparison.ts';

export const mixFormats = ['wav', 'flac', 'mp3', 'ogg', 'm4a'] as const satisfies readonly Settings['isolatedFormat'][];
type Format = (typeof mixFormats)[number] | 'video';

const icons = { isolated: AudioLines, variant: AudioLines, blend: Blend, removed: Waves } as const;
type Result = { readonly tag: 'isolated' | 'variant' | 'removed' } | Extract<Listening, { readonly tag: 'blend' }>;

export interface Saving {
  readonly share: number;
  readonly stop: () => void;
}

/** Saves what is heard, aligned with the original; where that fails, the files of the service. */
export function useSave(audio: IsolatedAudio, comparison: Comparison | null) {
  const t = useText();
  const formats = useFormats();
  const store = useIsolate();
  const { isolatedFormat } = useSettings();
  const showSaved = useSavedToast();
  const nameOf = useResultName(comparison);
  const { saving, mix } = useMix(comparison);
  const [isFetching, setFetching] = useState(false);
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
  const fetched = [
    ...savedFormats.map((format) => ({ id: format, text: format.toUpperCase(), onAction: () => fetch(format) })),
    original,
  ];
  const joined: readonly MenuEntry[] =
    audio.part?.isJoinable === true
      ? [
          'separator',
          {
            id: 'joined',
            icon: Layers,
            text: t('isolate.part.saveJoined'),
            entries: (['wav', 'flac', 'mp3'] as const).map((format) => ({
              id: format,
              text: format.toUpperCase(),
              onAction: () => void wait(store.ask('isolation.saveJoined', { audioId: audio.audioId, format })),
            })),
          },
        ]
      : [];
  const isLost = comparison === null || comparison.pair.status === 'failed';
  const heard = comparison?.result as Result | undefined;
  const results: readonly Result[] =
    comparison === null
      ? []
      : [
          { tag: 'isolated' },
          ...(comparison.hasVariant ? [{ tag: 'variant' } as const] : []),
          { tag: 'blend', share: comparison.share },
          { tag: 'removed' },
        ];
  const videoHeard: Result = heard === undefined || heard.tag === 'removed' ? { tag: 'isolated' } : heard;
  const entries: readonly MenuEntry[] = isLost
    ? [...fetched, ...joined]
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
                detail: audio.video.toUpperCase(),
                onAction: () => void mix(videoHeard, 'video'),
              },
            ] as const)),
        ...joined,
        'separator',
        {
          id: 'formats',
          icon: FileCog,
          text: t('isolate.results.otherFormat'),
          entries: [
            ...mixFormats.map((format) => ({
              id: format,
              text: format.toUpperCase(),
              onAction: () => heard && void mix(heard, format),
            })),
            original,
          ],
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

function useResultName(comparison: Comparison | null): (result: Result) => string {
  const t = useText();
  const formats = useFormats();
  const heardName = useHeardName(comparison);
  return (result) =>
    result.tag === 'blend'
      ? t('isolate.results.blend', { share: formats.percent(result.share + 1e-9) })
      : heardName(result.tag);
}

function useMix(comparison: Comparison | null) {
  const t = useText();
  const words = useFailureText();
  const studio = useStudio();
  const store = useIsolate();
  const showToast = useToast();
  const [saving, setSaving] = useState<Saving | null>(null);
  const mix = async (result: Result, format: Format) => {
    if (comparison === null) return;
    const opened = await studio.open('isolation.saveMix', {
      audioId: comparison.audioId,
      format,
      content: result.tag === 'variant' ? 'isolated' : result.tag,
      percent: result.tag === 'blend' ? Math.round(result.share * 100) : 100,
    });
    if (!opened.ok) {
      showToast({ icon: CircleAlert, text: words(opened.error).text });
      return;
    }
    const stream = opened.value;
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      stream.cancel();
    };
    // Of a video, mixing is the first half.
    const show = (share: number) => setSaving({ share, stop });
    for await (const answer of stream.incoming) {
      if (answer.kind === 'writing') show(0.5 + answer.share / 2);
      if (answer.kind === 'saved') {
        const { savedAs: name, revealToken } = answer;
        showToast({
          icon: Download,
          text: t('isolate.results.saved', { name }),
          action: { text: t('isolate.results.show'), onPress: () => void store.ask('exports.reveal', { revealToken }) },
        });
      }
      if (answer.kind !== 'chosen') continue;
      show(0);
      const isMixed = await renderMix(mixRequest(comparison, result), (bytes, share) => {
        if (!isStopped) show(format === 'video' ? share / 2 : share);
        return stream.send(bytes);
      });
      if (isMixed) stream.finish();
      else stream.cancel();
    }
    const ended = await stream.ended;
    setSaving(null);
    if (ended.ok || isStopped) return;
    const isOurs = ended.error.code === 'stream_cancelled' || ended.error.code === 'stream_broken';
    showToast({ icon: CircleAlert, text: isOurs ? t('isolate.compare.mixFailed') : words(ended.error).text });
  };
  return { saving, mix };
}

/** Only a sum can clip. */
function mixRequest({ urls, pair: { measures } }: Comparison, result: Result): MixRequest {
  const gains = mixGains(result, measures, false);
  const lowered = result.tag === 'blend' || result.tag === 'removed' ? peakGain(gains, measures) : 1;
  const cleaned = result.tag === 'variant' ? 'variant' : 'isolated';
  return {
    original: urls.original,
    isolated: urls[cleaned] ?? urls.isolated,
    gains: [gains[0] * lowered, gains[cleaned === 'variant' ? 2 : 1] * lowered],
    offsetMs: measures?.[cleaned]?.offsetMs ?? 0,
  };
}
