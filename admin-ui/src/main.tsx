import './app/mantine.css';
import './app/fonts.css';
import './app/styles.css';
import type { SiteConfig } from '../../contract/sign-in.ts';
import { connect, readSession } from './api/client.ts';
import { handOver, isReturning, mustChooseMethod, openSession } from './api/session.ts';

/** The configuration of the instance. Throws if the page does not contain it. */
const readConfig = (): SiteConfig => {
  const text = document.getElementById('config')?.textContent;
  if (!text) throw new Error('The page was published without its configuration.');
  return JSON.parse(text) as SiteConfig;
};

const loadStyles = (): Promise<void> =>
  new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = document.querySelector<HTMLMetaElement>('meta[name=styles]')?.content ?? '';
    link.onload = () => resolve();
    link.onerror = () => reject(new Error('The style sheet could not be loaded.'));
    document.head.append(link);
  });

/** The pages, once they have their styles. Only this file is loaded before the browser goes to the provider's page. */
const styledPages = () => Promise.all([import('./app/pages.tsx'), loadStyles()]).then(([pages]) => pages);

const open = async (): Promise<void> => {
  if (handOver()) return (await styledPages()).showWindowDone();
  const pages = isReturning() ? styledPages() : undefined;
  try {
    const config = readConfig();
    if (mustChooseMethod(config)) return (await styledPages()).showSignInMethods();
    const session = await openSession(config);
    if (session === undefined) return;
    connect(session);
    // The files of the screen, while the service says who is signed in. Whoever needs what could not be loaded loads it
    // again, and says so.
    void pages?.then(({ loadScreen }) => loadScreen()).catch(() => undefined);
    const state = await readSession();
    (await (pages ?? styledPages())).showApp(session, state);
  } catch (error) {
    (await styledPages()).showStartFailure(error);
  }
};

// Not awaited: the app imports parts of this file and would wait for its end.
void open();
