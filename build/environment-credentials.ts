// Stands in for the SDK's chain of credential providers in the bundles: Lambda hands credentials over in the environment
// and nowhere else, and the rest of the chain is a quarter of a bundle.
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
