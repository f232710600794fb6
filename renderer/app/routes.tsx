import { Activity, useState } from 'react';
import { Route, useLocation } from 'wouter';
import { EditorScreen } from '../features/editor/index.ts';
import { readPathWords } from '../lib/path-words.ts';
import type { Section } from '../lib/section.ts';
import { useSectionLocation } from './section-location.ts';
import { more, sections } from './sections.ts';

/** The screen for the location: a section's, or a document over it. */
export function Routes() {
  const [, navigate] = useLocation();
  const { section: current, path, isInDocument } = useSectionLocation();
  const shown = isInDocument ? null : current;
  const visited = useVisited(shown);
  return (
    <>
      {[...sections, more].map((section) => {
        const isShown = section === shown;
        if (!isShown && !(section.keepsScreen === true && visited.has(section))) return null;
        const { Screen } = section;
        return (
          <Activity key={section.path} mode={isShown ? 'visible' : 'hidden'}>
            <Screen
              subpath={isShown || current === section ? path.slice(section.path.length).replace(/^\//, '') : ''}
              onSubpath={(subpath) => {
                navigate(subpath === '' ? section.path : `${section.path}/${subpath}`);
              }}
            />
          </Activity>
        );
      })}
      <Route<{ id: string; at?: string; words?: string }> path="/transcripts/:id/:at?/:words?">
        {({ id, at, words }) => (
          <EditorScreen
            transcriptId={id}
            startMs={at === undefined || at === 'export' ? null : Number(at) || 0}
            startsInExport={at === 'export'}
            onExportOpened={() => {
              // A window that is loaded again opens the transcript alone.
              navigate(`/transcripts/${id}`, { replace: true });
            }}
            startWords={words === undefined ? '' : readPathWords(words)}
            onBack={() => {
              navigate(path);
            }}
          />
        )}
      </Route>
    </>
  );
}

function useVisited(shown: Section | null): ReadonlySet<Section> {
  const [visited, setVisited] = useState<ReadonlySet<Section>>(new Set());
  if (shown !== null && !visited.has(shown)) setVisited(new Set([...visited, shown]));
  return visited;
}
