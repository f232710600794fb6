import { PictureInPicture2, Video, VideoOff, X } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';
import { useSettings } from '../../../bridge/live-state.tsx';
import { useSettingsChange } from '../../../bridge/use-settings-change.ts';
import { useCommands, useKeyFor } from '../../../lib/commands.tsx';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useDurationMs } from './use-waveform-view.ts';
import { CommandButton } from './command-button.tsx';
import { useEditor } from '../editor-context.ts';
import { drawFilm } from '../model/film.ts';
import { followPlayer } from '../model/follow-player.ts';
import notices from './notices.module.css';
import css from './picture.module.css';

/** `none`: the video has no picture, or one that can't be decoded here. */
export type PictureState = 'beside' | 'detached' | 'hidden' | 'none';

/** How the picture of a video is shown; null where there is no video. */
export function usePicture() {
  const { detail } = useEditor();
  const { pictureUrl } = detail;
  const { isPictureShown } = useSettings();
  const change = useSettingsChange();
  const video = useRef<HTMLVideoElement>(null);
  const [isDetached, setDetached] = useState(false);
  const [failedUrl, setFailedUrl] = useState<string | null>(null);
  const isNone = pictureUrl !== null && failedUrl === pictureUrl;
  const canDetach = pictureUrl !== null && !isNone && isPictureShown && document.pictureInPictureEnabled;
  const bringBack = () => void document.exitPictureInPicture().catch(() => undefined);
  const detach = () => {
    if (isDetached) bringBack();
    // Refused while nothing of it is loaded yet: it stays beside the text.
    else void video.current?.requestPictureInPicture().catch(() => undefined);
  };
  useCommands({
    'picture.toggle': pictureUrl !== null && !isNone && (() => void change({ isPictureShown: !isPictureShown })),
    'picture.detach': canDetach && detach,
  });
  if (pictureUrl === null) return null;
  const state: PictureState = isNone ? 'none' : !isPictureShown ? 'hidden' : isDetached ? 'detached' : 'beside';
  return { url: pictureUrl, state, video, canDetach, bringBack, setDetached, fail: () => setFailedUrl(pictureUrl) };
}

type ShownPicture = NonNullable<ReturnType<typeof usePicture>>;

export function Picture({ picture }: { readonly picture: ShownPicture }) {
  const t = useText();
  const change = useSettingsChange();
  const keyFor = useKeyFor();
  const { url, state, canDetach, bringBack } = picture;
  return (
    <>
      {state === 'none' && <PictureLine icon={VideoOff} words={t('editor.picture.none')} />}
      {state === 'hidden' && (
        <PictureLine icon={Video} words={t('editor.picture.hidden')}>
          <Button
            size="sm"
            variant="ghost"
            shortcut={keyFor('picture.toggle')}
            onPress={() => void change({ isPictureShown: true })}
          >
            {t('editor.picture.show')}
          </Button>
        </PictureLine>
      )}
      {state === 'detached' && (
        <PictureLine icon={PictureInPicture2} words={t('editor.picture.detached')}>
          <Button size="sm" variant="ghost" onPress={bringBack}>
            {t('editor.picture.bringBack')}
          </Button>
        </PictureLine>
      )}
      {(state === 'beside' || state === 'detached') && (
        <div className={css['picture']} data-detached={state === 'detached' || undefined}>
          <FollowingVideo key={url} picture={picture} />
          {state === 'beside' && (
            <div className={css['tools']}>
              {canDetach && (
                <CommandButton
                  id="picture.detach"
                  size="sm"
                  icon={PictureInPicture2}
                  label={t('editor.picture.detach')}
                />
              )}
              <CommandButton id="picture.toggle" size="sm" icon={X} label={t('editor.picture.hide')} />
            </div>
          )}
        </div>
      )}
    </>
  );
}

function PictureLine({
  icon: Icon,
  words,
  children,
}: {
  readonly icon: LucideIcon;
  readonly words: string;
  readonly children?: ReactNode;
}) {
  return (
    <div className={notices['strip']}>
      <Icon aria-hidden size={14} strokeWidth={1.75} />
      <output>{words}</output>
      {children}
    </div>
  );
}

function FollowingVideo({ picture: { url, video, setDetached, fail } }: { readonly picture: ShownPicture }) {
  const t = useText();
  const { player } = useEditor();
  useEffect(() => {
    const element = video.current;
    if (element === null) return undefined;
    const scope = new Scope();
    scope.add(followPlayer(element, player));
    scope.listen(element, 'enterpictureinpicture', () => setDetached(true));
    scope.listen(element, 'leavepictureinpicture', () => setDetached(false));
    scope.add(() => setDetached(false));
    return () => scope.dispose();
  }, [player, video, setDetached]);
  return (
    // oxlint-disable-next-line jsx-a11y/media-has-caption -- its words are the text beside it
    <video
      ref={video}
      src={url}
      muted
      playsInline
      preload="auto"
      aria-label={t('editor.picture.label')}
      onError={fail}
      onLoadedMetadata={({ currentTarget }) => {
        if (currentTarget.videoWidth === 0) fail();
      }}
    />
  );
}

const mostPictures = 24;

/** Pictures of the whole video in a row, for the eye only. */
export function Film({ url, onNone }: { readonly url: string; readonly onNone: () => void }) {
  const strip = useRef<HTMLDivElement>(null);
  const seconds = Math.max(1, Math.round(useDurationMs() / 1000));
  const count = Math.min(mostPictures, seconds * 2);
  const tellNone = useEffectEvent(onNone);
  useEffect(() => {
    if (strip.current === null) return undefined;
    return drawFilm(url, seconds, [...strip.current.querySelectorAll('canvas')], () => tellNone());
  }, [url, seconds]);
  return (
    <div ref={strip} className={css['film']} aria-hidden>
      {Array.from({ length: count }, (_, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- they are places
        <canvas key={at} />
      ))}
    </div>
  );
}
