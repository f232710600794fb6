import { CircleAlert, Play, Square } from 'lucide-react';
import { useText } from '../../../lib/text.ts';
import { IconButton, type IconButtonProps } from '../../../ui/icon-button.tsx';
import { usePartState, useSpeaking } from '../speak-context.tsx';

/** Plays a part on its own, and shows at once whether it is loading, heard, or could not be played. */
export function PlayButton({
  partId,
  name,
  label,
  stopLabel,
  onStopFetching = null,
  onPlay,
  ...look
}: {
  readonly partId: string;
  /** What is played. */
  readonly name: string;
  /** While it is not heard. */
  readonly label: string;
  readonly stopLabel: string;
  /** Stops downloading its audio; null while the player has it or nothing is played. */
  readonly onStopFetching?: (() => void) | null;
  readonly onPlay: () => void;
} & Pick<IconButtonProps, 'size' | 'variant' | 'className' | 'isDisabled'>) {
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
