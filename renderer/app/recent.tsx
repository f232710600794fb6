import { FileClock } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type RefObject } from 'react';
import { useLocation } from 'wouter';
import { lengthClock } from '../../shared/domain/time/time-code.ts';
import { useStudio } from '../bridge/studio-context.tsx';
import type { ListedTranscript } from '../bridge/types.ts';
import { Scope } from '../lib/scope.ts';
import { useFormats, useText } from '../lib/text.ts';
import { useNow } from '../lib/use-now.ts';
import { transcriptsQuery, useFreshTranscripts } from '../parts/transcripts/transcripts-query.ts';
import { Menu } from '../ui/menu.tsx';
import { PressButton } from '../ui/press-button.tsx';
import css from './rail.module.css';
import { RecentMenu, type AskedMenu } from './recent-menu.tsx';
import { byLastUse, tellApart } from './recent-order.ts';
import { homeSection } from './sections.ts';
import { leadIntoText } from '../lib/text-pane.ts';

const atMost = 6;

/** The transcripts that were used last, one click away from everywhere; a rail without room has them in a menu. */
export function Recent() {
  useFreshTranscripts();
  const { data = [] } = useQuery(transcriptsQuery(useStudio()));
  return data.length === 0 ? null : <RecentList transcripts={data} />;
}

function RecentList({ transcripts }: { readonly transcripts: readonly ListedTranscript[] }) {
  const t = useText();
  const [location, navigate] = useLocation();
  const openId = /^\/transcripts\/([^/]+)/u.exec(location)?.[1] ?? null;
  const ordered = byLastUse(transcripts, useOpenings(openId));
  const menu = useRef<HTMLDivElement>(null);
  const section = useRef<HTMLElement>(null);
  const held = useHeldOrder(section, ordered);
  const shown = (held === null ? ordered : held.flatMap((id) => transcripts.find((one) => one.id === id) ?? [])).slice(
    0,
    atMost,
  );
  const recent = t('shell.recent');
  const formats = useFormats();
  const nowMs = useNow(false);
  const [asked, setAsked] = useState<AskedMenu | null>(null);
  const momentOf = ({ createdAtMs }: ListedTranscript) => formats.moment(createdAtMs, nowMs);
  const lengthOf = ({ durationMs }: ListedTranscript) => lengthClock(durationMs);
  const notes = tellApart(shown, [momentOf, lengthOf, ({ sourceName }) => sourceName]);
  const tipOf = (one: ListedTranscript) =>
    `${one.title}\n${[one.sourceName, momentOf(one), lengthOf(one)].join(' · ')}`;
  const open = (id: string) => {
    navigate(`/transcripts/${id}`);
  };
  return (
    <>
      <div ref={menu} className={css['recentMenu']}>
        <Menu
          label={recent}
          placement="bottom start"
          entries={shown.map((one) => ({
            id: one.id,
            text: one.title,
            detail: notes.get(one.id) ?? null,
            onAction: () => {
              open(one.id);
              leadOnFrom(menu.current);
            },
          }))}
          trigger={
            <PressButton className={css['item']} label={recent} tip={{ text: recent, placement: 'end' }}>
              <FileClock aria-hidden size={18} strokeWidth={1.75} />
              <span className={css['name']}>{recent}</span>
            </PressButton>
          }
        />
      </div>
      <section ref={section} className={css['recent']} aria-label={recent}>
        <h2 className={css['recentTitle']}>{recent}</h2>
        {shown.map((one) => (
          <PressButton
            key={one.id}
            isLink
            className={css['recentItem']}
            current={one.id === openId ? 'page' : null}
            tip={{ text: tipOf(one), placement: 'end' }}
            onPress={() => {
              open(one.id);
            }}
            onContextMenu={(event) => {
              event.preventDefault();
              setAsked({ transcript: one, at: { x: event.clientX, y: event.clientY } });
            }}
          >
            <span className={css['recentName']}>{one.title}</span>
            {notes.has(one.id) && <span className={css['recentNote']}>{notes.get(one.id)}</span>}
          </PressButton>
        ))}
      </section>
      <RecentMenu
        asked={asked}
        onClose={() => {
          setAsked(null);
        }}
        onOpen={open}
        onLeave={(id) => {
          if (id === openId) navigate(homeSection.path);
        }}
      />
    </>
  );
}

/** A menu that closes gives the focus back to its button, from where it goes on to the text. */
function leadOnFrom(menu: HTMLElement | null): void {
  document.addEventListener(
    'focusin',
    ({ target }) => {
      if (target instanceof HTMLElement && menu?.contains(target) === true) leadIntoText();
    },
    { once: true },
  );
}

/** When transcripts were opened here, by id. Main notes it too, but a list may have been asked for before. */
function useOpenings(openId: string | null): ReadonlyMap<string, number> {
  const [openings, setOpenings] = useState<ReadonlyMap<string, number>>(new Map());
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- rendering knows no time
    if (openId !== null) setOpenings((before) => new Map(before).set(openId, Date.now()));
  }, [openId]);
  return openings;
}

/** The order in which a list is used by pointer or key, which nothing changes meanwhile; null while it is not. */
function useHeldOrder(
  list: RefObject<HTMLElement | null>,
  ordered: readonly { readonly id: string }[],
): readonly string[] | null {
  const [held, setHeld] = useState<readonly string[] | null>(null);
  const latest = useRef(ordered);
  useEffect(() => {
    latest.current = ordered;
  });
  useEffect(() => {
    const element = list.current;
    if (element === null) return undefined;
    const scope = new Scope();
    const hold = () => {
      setHeld((before) => before ?? latest.current.map(({ id }) => id));
    };
    const letGo = () => {
      if (!element.matches(':hover') && element.querySelector(':focus-visible') === null) setHeld(null);
    };
    for (const began of ['pointerenter', 'focusin']) scope.listen(element, began, hold);
    scope.listen(element, 'pointerleave', letGo);
    // The focus has not moved on before the event is over.
    scope.listen(element, 'focusout', () => {
      queueMicrotask(letGo);
    });
    return () => {
      scope.dispose();
    };
  }, [list]);
  return held;
}
