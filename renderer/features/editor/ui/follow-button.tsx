import { LocateFixed } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useEditor, useEditorState, usePlayerState } from '../editor-context.ts';
import css from './transcript-view.module.css';
import type { IsInView } from './use-following-text.ts';

/** Leads back to where it is played, or will be: nothing while that is on the screen in a pause. */
export function FollowButton({
  scroller,
  isInView,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isInView: IsInView;
}) {
  const t = useText();
  const { store, player, timeline } = useEditor();
  const { isPlaying } = usePlayerState();
  const isFollowing = useEditorState((state) => state.isFollowing);
  /** The time that is out of view; null while it is in view. */
  const [away, setAway] = useState<string | null>(null);
  useEffect(() => {
    if (isFollowing || scroller.current === null) return undefined;
    const scope = new Scope();
    const look = () => {
      const timeMs = player.timeMs();
      const isHere = isInView(timeline.wordAt(timeMs) ?? { segment: timeline.segmentNear(timeMs), word: null });
      setAway(isHere ? null : clock(timeMs));
    };
    let asked = requestAnimationFrame(look);
    const lookSoon = () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(look);
    };
    scope.add(() => {
      cancelAnimationFrame(asked);
    });
    scope.listen(scroller.current, 'scroll', lookSoon);
    scope.listen(window, 'resize', lookSoon);
    scope.add(player.onTime(look));
    return () => {
      scope.dispose();
    };
  }, [scroller, isInView, isFollowing, player, timeline]);
  const isPressed = useEditorState((state) => state.isTextPressed);
  const label =
    isFollowing || (away === null && !isPlaying)
      ? null
      : isPlaying || away === null
        ? t('editor.text.follow')
        : t('editor.text.backTo', { time: away });
  // It takes its room from the text, so it comes and goes only when no button is down in there.
  const [shown, setShown] = useState(label);
  if (shown !== label && !isPressed) setShown(label);
  if (shown === null) return null;
  return (
    <Button
      size="sm"
      icon={LocateFixed}
      className={css['follow']}
      onPress={() => {
        store.follow(true);
      }}
    >
      {shown}
    </Button>
  );
}
