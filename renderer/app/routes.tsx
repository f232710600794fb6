import { Route, Switch, useLocation } from 'wouter';
import { EditorScreen } from '../features/editor/index.ts';
import { TranscribeScreen } from '../features/transcribe/index.ts';
import { useOpenSettings } from './open-settings.ts';

/** Which screen the location names. A new section is a route here and a line in the rail. */
export function Routes() {
  const openSettings = useOpenSettings();
  const [, navigate] = useLocation();
  return (
    <Switch>
      <Route path="/transcripts/:id">
        {({ id }) => (
          <EditorScreen
            transcriptId={id}
            onBack={() => {
              navigate('/');
            }}
          />
        )}
      </Route>
      <Route>
        <TranscribeScreen onOpenSettings={openSettings} />
      </Route>
    </Switch>
  );
}
