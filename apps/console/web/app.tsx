import { useEffect, useRef, useState } from 'preact/hooks';
import { forgetSession, isRefused, session } from './api/session.js';
import { logOff } from './api/log-off.js';
import { base, path } from './location.js';
import { Menu } from './menu.js';
import { RoutesContext } from './menu-entries.js';
import { Announcements, announce } from './parts/announce.js';
import { Dialog } from './parts/dialog.js';
import { ApiDrawer } from './parts/drawer.js';
import { errorOf } from './parts/attempt.js';
import { EnvironmentChoice } from './parts/environment.js';
import { Link } from './parts/link.js';
import { Skeleton } from './parts/loaded.js';
import { Offline } from './parts/offline.js';
import { ProblemBox } from './parts/problem.js';
import { isUtc, toggleUtc } from './parts/time.js';
import type { Parameters, Route, ScreenComponent } from './route.js';
import { routeOf, routes } from './routes.js';
import { type FromAddress, LogonForm, LogonScreen } from './screens/logon/logon.js';
import { LogOffEverywhere } from './screens/logon/log-off-everywhere.js';
import { Palette } from './screens/palette/palette.js';
import { theme, themes } from './theme.js';

export function App(from: FromAddress) {
  const isGiven = Object.values(from).some((one) => one !== undefined);
  return (
    <>
      <Announcements />
      {session.value === undefined || isGiven ? <Start {...from} /> : <Frame />}
    </>
  );
}

/** A link with a token replaces the session of the tab, so the logon comes first even when there is one. */
function Start(from: FromAddress) {
  const first = useRef(session.peek()?.token);
  const now = session.value?.token;
  if (now !== undefined && now !== first.current) return <Frame />;
  return <LogonScreen {...from} />;
}

function Frame() {
  const found = routeOf(path.value);
  return (
    <RoutesContext.Provider value={routes}>
      <div class="frame">
        <a class="skip" href="#content">
          Skip to the content
        </a>
        <Menu current={found?.route} />
        <TopBar help={found?.route.help ?? 'index.html'} />
        <main id="content" tabIndex={-1}>
          <Offline />
          {found ? <Screen key={path.value} {...found} /> : <NotFound />}
        </main>
        <ApiDrawer />
        {isRefused.value && <LogonAgain />}
      </div>
    </RoutesContext.Provider>
  );
}

/** Screens that were loaded in this tab. */
const loaded = new Map<Route, ScreenComponent>();

/** Loads and shows a screen, names it in the title of the tab, and moves the focus to its heading, as loading a page would. */
function Screen({ route, parameters }: { route: Route; parameters: Parameters }) {
  const isFirst = useRef(isFirstScreen);
  const [, render] = useState({});
  const [error, setError] = useState<Error>();
  const Shown = loaded.get(route);
  useEffect(() => {
    if (loaded.has(route)) return;
    route.load().then(
      (screen) => {
        loaded.set(route, screen);
        render({});
      },
      (failure: unknown) => setError(errorOf(failure)),
    );
  }, [route]);
  useEffect(() => {
    document.title = `${route.title} · Onefold console`;
    if (Shown === undefined) return;
    if (isFirst.current) isFirstScreen = false;
    else {
      document.querySelector<HTMLElement>('main h1')?.focus();
      window.scrollTo(0, 0);
    }
    announce(`${route.title} is shown`);
  }, [route, Shown]);
  if (Shown !== undefined) return <Shown {...parameters} />;
  if (error !== undefined) return <ProblemBox error={error} />;
  return <Skeleton lines={8} />;
}
let isFirstScreen = true;

function TopBar({ help }: { help: string }) {
  const { organization, member } = session.value ?? {};
  return (
    <header class="top">
      <p class="who">
        <strong dir="auto">{organization?.fullname}</strong>
        <span dir="auto">{member ?? 'by token'}</span>
      </p>
      <EnvironmentChoice />
      <Palette />
      <a class="help" href={`${base}/docs/${help}`} target="_blank" rel="noreferrer">
        Help<span class="unseen"> with this screen</span>
      </a>
      <button type="button" class="quiet" onClick={toggleUtc}>
        {isUtc.value ? 'Times: UTC' : 'Times: local'}
      </button>
      <label class="theme">
        <span class="unseen">Theme</span>
        <select
          value={theme.value}
          onChange={(event) => {
            theme.value = themes.find((one) => one === event.currentTarget.value) ?? 'auto';
          }}
        >
          <option value="auto">Theme: auto</option>
          <option value="light">Theme: light</option>
          <option value="dark">Theme: dark</option>
        </select>
      </label>
      <button type="button" class="quiet" onClick={() => void logOff()}>
        Log off
      </button>
      <LogOffEverywhere />
    </header>
  );
}

/** The page stays as it is below the dialog; requests that were refused are sent again with the new token. */
function LogonAgain() {
  return (
    <Dialog title="Log on again">
      <p>The session has expired, or its token was deleted. What you have typed is still there.</p>
      <LogonForm />
      <p>
        <button type="button" class="quiet" onClick={forgetSession}>
          Leave without logging on
        </button>
      </p>
    </Dialog>
  );
}

function NotFound() {
  return (
    <>
      <h1 tabIndex={-1}>There is no such screen</h1>
      <p>
        The address may be of another version. Go to the <Link to="/">overview</Link>.
      </p>
    </>
  );
}
