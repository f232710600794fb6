import { Route, Switch, useLocation } from 'wouter';
import { EditorScreen } from '../features/editor/index.ts';
import { SettingsScreen } from '../features/settings/index.ts';
import { TranscribeScreen } from '../features/transcribe/index.ts';

/** Which screen the location names. A new section is a route here and a line in the rail. */
export function Routes() {
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
      <Route path="/settings/:page?">
        {({ page }) => (
          <SettingsScreen
            page={page}
            onPage={(next) => {
              navigate(`/settings/${next}`);
            }}
          />
        )}
      </Route>
      <Route>
        <TranscribeScreen />
      </Route>
    </Switch>
  );
}
