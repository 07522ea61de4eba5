import {
  ErrorResponse,
  InMemoryWebStorage,
  type User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { NOT_INVITED, SIGN_IN_PATHS, type SiteConfig } from '../../../contract/sign-in.ts';
import { leaveFreely, mayLeave } from './leaving.ts';

const CALLBACK = SIGN_IN_PATHS.signedIn;
const CHANNEL = 'cuevault-session';
const SIGNED_OUT = 'signed-out';
/** A token that expires within this many seconds is renewed before it is used. */
const MARGIN_SECONDS = 20;

/** The session of the operator. Tokens are only in memory; only the state of a redirect is stored. */
export interface Session {
  readonly config: SiteConfig;
  /** The e-mail address of whoever is signed in, as the provider says. */
  readonly email: string;
  /** An access token that has not expired; waits for the operator to sign in again if it must. */
  readonly token: () => Promise<string>;
  /** A new token to replace a rejected one. */
  readonly tokenAfter: (refused: string) => Promise<string>;
  /** Opens the provider's page in a separate window, so that this one keeps its input. */
  readonly signInAgain: () => Promise<void>;
  /** Continues as another operator of a local runner. Asks first if there is unsaved input. */
  readonly continueAs: (email: string) => Promise<void>;
  /** Asks first if there is unsaved input. */
  readonly signOut: () => Promise<void>;
  readonly isExpired: () => boolean;
  /** Calls the listener when `isExpired` changes. Returns a function that removes it. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** How somebody signs in, remembered for this tab. */
export type SignInMethod = 'company' | 'password';

const METHOD_KEY = 'cuevault-door';

const forgetMethod = (): void => sessionStorage.removeItem(METHOD_KEY);

/** Whether it must be asked first how the operator signs in. */
export const mustChooseMethod = ({ companyClientId }: SiteConfig): boolean =>
  companyClientId !== undefined && !isReturning() && sessionStorage.getItem(METHOD_KEY) === null;

/** Signs in this way, at the same screen. */
export const signInWith = (door: SignInMethod): void => {
  sessionStorage.setItem(METHOD_KEY, door);
  location.reload();
};

const clientOf = ({ clientId, companyClientId, companyProvider = '' }: SiteConfig) =>
  companyClientId !== undefined && sessionStorage.getItem(METHOD_KEY) === 'company'
    ? { client_id: companyClientId, extraQueryParams: { identity_provider: companyProvider } }
    : { client_id: clientId };

const settingsOf = (config: SiteConfig): UserManagerSettings => ({
  authority: config.authority,
  metadata: {
    issuer: config.authority,
    authorization_endpoint: config.signIn.authorize,
    token_endpoint: config.signIn.token,
  },
  ...clientOf(config),
  redirect_uri: location.origin + CALLBACK,
  popup_redirect_uri: location.origin + SIGN_IN_PATHS.signedInAgain,
  popupWindowTarget: '_blank',
  response_type: 'code',
  scope: config.scope,
  automaticSilentRenew: false,
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  // Stores the state and the code verifier of the current sign-in during the redirect.
  stateStore: new WebStorageStateStore({ store: sessionStorage }),
});

const channel = new BroadcastChannel(CHANNEL);

/** If this window was opened to sign in again, passes the provider's answer to the one that waits, and returns true. */
export const handOver = (): boolean => {
  if (location.pathname !== SIGN_IN_PATHS.signedInAgain) return false;
  const settings = { authority: location.origin, client_id: '', redirect_uri: location.href };
  new UserManager(settings).signinPopupCallback().catch(() => location.replace('/'));
  return true;
};

/** Whether the provider has just sent the browser back, so that the session is about to open. */
export const isReturning = (): boolean => {
  const answer = new URLSearchParams(location.search);
  return location.pathname === CALLBACK && (answer.has('code') || answer.has('error'));
};

const signInHere = async (manager: UserManager): Promise<User | undefined> => {
  if (isReturning()) {
    const user = await manager.signinRedirectCallback();
    const { back } = (user.state ?? {}) as { back?: string };
    history.replaceState(null, '', back?.startsWith('/') ? back : '/');
    return user;
  }
  const here = location.pathname === CALLBACK ? '/' : location.pathname + location.search + location.hash;
  await manager.signinRedirect({ state: { back: here } });
  return undefined;
};

// Anyone can write the text of an address, so only what is known is shown.
const whyRefused = ({ error_description: text }: ErrorResponse): string =>
  text?.includes(NOT_INVITED)
    ? `Nobody has invited your e-mail address, or the invitation has expired (${NOT_INVITED}). Ask an administrator of Cuevault to invite you.`
    : 'The sign-in was refused. Try again, or ask an administrator of Cuevault.';

/** Signs in. Undefined if the browser is about to go to the provider's page. */
export const openSession = async (config: SiteConfig): Promise<Session | undefined> => {
  const manager = new UserManager(settingsOf(config));
  const user = await signInHere(manager).catch((error: unknown) => {
    forgetMethod();
    throw error instanceof ErrorResponse ? new Error(whyRefused(error)) : error;
  });
  return user && sessionOf(config, manager, user);
};

const sessionOf = (config: SiteConfig, manager: UserManager, first: User): Session => {
  let user = first;
  let expired = false;
  let renewal: Promise<string> | undefined;
  const listeners = new Set<() => void>();

  const setExpired = (value: boolean): void => {
    expired = value;
    for (const listener of listeners) listener();
  };

  const isSomeoneElse = ({ profile }: User): boolean => profile.sub !== user.profile.sub;

  manager.events.addUserLoaded((loaded) => {
    if (isSomeoneElse(loaded)) {
      // A different operator must not continue with the input of the first one.
      leaveFreely();
      location.reload();
      return;
    }
    user = loaded;
    setExpired(false);
  });
  channel.addEventListener('message', ({ data }) => {
    if (data === SIGNED_OUT) location.reload();
  });

  const signedIn = (): Promise<string> =>
    new Promise((resolve, reject) => {
      const remove = manager.events.addUserLoaded((loaded) => {
        remove();
        if (isSomeoneElse(loaded)) reject(new Error('Someone else has signed in.'));
        else resolve(loaded.access_token);
      });
      setExpired(true);
    });

  const renew = async (): Promise<string> => {
    if (expired || user.refresh_token === undefined) return signedIn();
    try {
      const renewed = await manager.signinSilent();
      return renewed === null || isSomeoneElse(renewed) ? signedIn() : renewed.access_token;
    } catch (error) {
      if (error instanceof ErrorResponse) return signedIn();
      throw error;
    }
  };

  const renewOnce = (): Promise<string> => {
    renewal ??= renew().finally(() => {
      renewal = undefined;
    });
    return renewal;
  };

  return {
    config,
    email: first.profile.email ?? '',
    token: async () =>
      (user.expires_in ?? 0) > MARGIN_SECONDS && !expired ? user.access_token : renewOnce(),
    tokenAfter: async (refused) => (refused === user.access_token ? renewOnce() : user.access_token),
    signInAgain: async () => {
      // A local runner lets who is signed in there continue as anyone.
      const asBefore = config.operators && { prompt: 'login', login_hint: first.profile.email ?? '' };
      const opened = manager.signinPopup(asBefore);
      await opened.catch((error: unknown) => {
        throw error instanceof Error && error.message.includes('disposed window')
          ? new Error('The browser blocked the window. Allow pop-ups for this site.')
          : error;
      });
    },
    continueAs: async (other) => {
      if (!(await mayLeave())) return;
      leaveFreely();
      await manager.signinRedirect({ prompt: 'login', login_hint: other, state: { back: '/' } });
    },
    signOut: async () => {
      if (!(await mayLeave())) return;
      leaveFreely();
      await manager.removeUser();
      forgetMethod();
      channel.postMessage(SIGNED_OUT);
      location.assign(`${config.signOut.url}?${new URLSearchParams(config.signOut.parameters)}`);
    },
    isExpired: () => expired,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
