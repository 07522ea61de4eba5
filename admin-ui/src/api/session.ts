import {
  ErrorResponse,
  InMemoryWebStorage,
  OidcClient,
  type User,
  UserManager,
  type UserManagerSettings,
  WebStorageStateStore,
} from 'oidc-client-ts';
import { SIGN_IN_PATHS, type SiteConfig } from '../../../contract/sign-in.ts';
import { leaveFreely, mayLeave } from './leaving.ts';
import { type Operator, operatorOf } from './operator.ts';

const CALLBACK = SIGN_IN_PATHS.signedIn;
const POPUP = 'popup';
const CHANNEL = 'cuevault-session';
/** A token that expires within this many seconds is renewed before it is used. */
const MARGIN_SECONDS = 20;

type Message = { readonly type: 'signed-in'; readonly url: string } | { readonly type: 'signed-out' };

/** The session of the operator. Tokens are only in memory; only the state of a redirect is stored. */
export interface Session {
  readonly config: SiteConfig;
  /** Who is signed in; the same object until the tokens are renewed. */
  readonly operator: () => Operator;
  /** An access token that has not expired; waits for the operator to sign in again if it must. */
  readonly token: () => Promise<string>;
  /** A new token to replace a rejected one. */
  readonly tokenAfter: (refused: string) => Promise<string>;
  /** Opens the provider's page in a separate window, so that this one keeps its input. */
  readonly signInAgain: () => Promise<void>;
  /** Asks first if there is unsaved input. */
  readonly signOut: () => Promise<void>;
  readonly isExpired: () => boolean;
  /** Calls the listener when the operator or `isExpired` changes. Returns a function that removes it. */
  readonly subscribe: (listener: () => void) => () => void;
}

const settingsOf = ({ authority, clientId, scope }: SiteConfig): UserManagerSettings => ({
  authority,
  client_id: clientId,
  redirect_uri: location.origin + CALLBACK,
  response_type: 'code',
  scope,
  automaticSilentRenew: false,
  userStore: new WebStorageStateStore({ store: new InMemoryWebStorage() }),
  // Stores the state and the code verifier of the current sign-in during the redirect.
  stateStore: new WebStorageStateStore({ store: sessionStorage }),
});

const channel = new BroadcastChannel(CHANNEL);
const tell = (message: Message): void => channel.postMessage(message);

/**
 * If this window was opened to sign in again, passes the provider's answer to the waiting window, closes, and returns
 * true. Uses a broadcast channel because a window loses its opener after a visit to another site.
 */
export const handOver = (): boolean => {
  const state = new URLSearchParams(location.search).get('state') ?? '';
  if (location.pathname !== CALLBACK || !state.endsWith(`;${POPUP}`)) return false;
  tell({ type: 'signed-in', url: location.href });
  window.close();
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

/** Signs in. Undefined if the browser is about to go to the provider's page. */
export const openSession = async (config: SiteConfig): Promise<Session | undefined> => {
  const manager = new UserManager(settingsOf(config));
  const user = await signInHere(manager);
  return user && sessionOf(config, manager, user);
};

const popupUrl = async (config: SiteConfig): Promise<string> => {
  const request = await new OidcClient(settingsOf(config)).createSigninRequest({
    url_state: POPUP,
    request_type: 'si:r',
  });
  return request.url;
};

/** The provider's answer from the window for signing in again. Never resolves after an abort. */
const signedInElsewhere = (signal: AbortSignal): Promise<string> =>
  new Promise((resolve) => {
    const listen = ({ data }: MessageEvent<Message>) => {
      if (data.type === 'signed-in') resolve(data.url);
    };
    channel.addEventListener('message', listen, { signal });
  });

const sessionOf = (config: SiteConfig, manager: UserManager, first: User): Session => {
  let user = first;
  let operator = operatorOf(first);
  let expired = false;
  let renewal: Promise<string> | undefined;
  let attempt: AbortController | undefined;
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
    operator = operatorOf(loaded);
    setExpired(false);
  });
  channel.addEventListener('message', ({ data }: MessageEvent<Message>) => {
    if (data.type === 'signed-out') location.reload();
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
    operator: () => operator,
    token: async () =>
      (user.expires_in ?? 0) > MARGIN_SECONDS && !expired ? user.access_token : renewOnce(),
    tokenAfter: async (refused) => (refused === user.access_token ? renewOnce() : user.access_token),
    signInAgain: async () => {
      const popup = window.open('about:blank', '_blank', 'popup,width=520,height=720');
      if (popup === null) throw new Error('The browser blocked the window. Allow pop-ups for this site.');
      // After closing the window and trying again, only the latest window counts.
      attempt?.abort();
      attempt = new AbortController();
      const answer = signedInElsewhere(attempt.signal);
      popup.location.replace(await popupUrl(config));
      await manager.signinRedirectCallback(await answer);
      attempt.abort();
    },
    signOut: async () => {
      if (!(await mayLeave())) return;
      leaveFreely();
      await manager.removeUser();
      tell({ type: 'signed-out' });
      location.assign(`${config.signOut.url}?${new URLSearchParams(config.signOut.parameters)}`);
    },
    isExpired: () => expired,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
};
