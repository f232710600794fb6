import { LocateFixed } from 'lucide-react';
import { useEffect, useState, type RefObject } from 'react';
import { clock } from '../../../../shared/domain/time/time-code.ts';
import { Scope } from '../../../lib/scope.ts';
import { useText } from '../../../lib/text.ts';
import { Button } from '../../../ui/button.tsx';
import { useEditor, useEditorState, usePlayerState } from '../editor-context.ts';
import type { WordPlace } from '../model/timeline.ts';
import css from './transcript-view.module.css';

/** Leads back to where it is played, or will be: nothing while that is in view in a pause. */
export function FollowButton({
  scroller,
  isInView,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly isInView: (place: WordPlace) => boolean;
}) {
  const t = useText();
  const { store, player, timeline } = useEditor();
  const { isPlaying } = usePlayerState();
  const isFollowing = useEditorState((state) => state.isFollowing);
  const isInLane = useEditorState((state) => state.isPlayheadInLane);
  const [isHere, setIsHere] = useState(true);
  useEffect(() => {
    if (isFollowing || scroller.current === null) return undefined;
    const scope = new Scope();
    const look = () => {
      const timeMs = player.timeMs();
      setIsHere(isInView(timeline.wordAt(timeMs) ?? { segment: timeline.segmentNear(timeMs), word: 0 }));
    };
    let asked = requestAnimationFrame(look);
    scope.add(() => {
      cancelAnimationFrame(asked);
    });
    scope.listen(scroller.current, 'scroll', () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(look);
    });
    scope.add(player.onTime(look));
    return () => {
      scope.dispose();
    };
  }, [scroller, isInView, isFollowing, player, timeline]);
  if (isFollowing || (isHere && isInLane && !isPlaying)) return null;
  return (
    <Button
      size="sm"
      icon={LocateFixed}
      className={css['follow']}
      onPress={() => {
        store.follow(true);
      }}
    >
      {isPlaying ? t('editor.text.follow') : t('editor.text.backTo', { time: clock(player.timeMs()) })}
    </Button>
  );
}
