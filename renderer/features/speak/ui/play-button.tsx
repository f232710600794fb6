import { CircleAlert, Play, Square } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { IconButton, type IconButtonProps } from '../../../ui/icon-button.tsx';
import { previewId, usePreview, type Preview } from '../use-preview.ts';
import { usePartState, useSpeaking } from '../speak-context.tsx';

export function PlayButton(
  props: {
    readonly partId: string;
    readonly name: string;
    readonly label: string;
    readonly stopLabel: string;
    /** Stops downloading its audio; null while the player has it or nothing is played. */
    readonly onStopFetching?: (() => void) | null;
    readonly onPlay: () => void;
  } & Pick<IconButtonProps, 'size' | 'variant' | 'className' | 'isDisabled'>,
) {
  const { partId, name, label, stopLabel, onStopFetching = null, onPlay, ...look } = props;
  const t = useText();
  const { side } = useSpeaking();
  const state = usePartState(partId);
  const isLoading = state === 'loading' || onStopFetching !== null;
  const isOn = isLoading || state === 'playing';
  return (
    <IconButton
      {...look}
      icon={isOn ? Square : state === 'failed' ? CircleAlert : Play}
      isLoading={isLoading}
      label={
        isLoading
          ? t('speak.loadingPart', { name })
          : state === 'playing'
            ? stopLabel
            : state === 'failed'
              ? t('speak.failedPart', { name })
              : label
      }
      onPress={() => {
        if (onStopFetching !== null) onStopFetching();
        else if (isOn) side.stop();
        else onPlay();
      }}
    />
  );
}

/** Plays a preview; `name`: that of its voice, where several are listed. */
export function ListenButton(props: {
  readonly preview: Preview;
  readonly name?: string;
  readonly children: ReactNode;
}) {
  const { preview, name, children } = props;
  const t = useText();
  const { side } = useSpeaking();
  const play = usePreview();
  const state = usePartState(previewId(preview.voiceId));
  const isHeard = state === 'playing';
  return (
    <Button
      size="sm"
      icon={isHeard ? Square : state === 'failed' ? CircleAlert : Play}
      {...(name !== undefined && {
        label: t(isHeard ? 'speak.voices.stopPreview' : 'voices.listenPractice', { name }),
      })}
      isLoading={state === 'loading'}
      isDisabled={preview.text === ''}
      onPress={() => (isHeard ? side.stop() : play([preview]))}
    >
      {isHeard ? t('voices.stop') : children}
    </Button>
  );
}
