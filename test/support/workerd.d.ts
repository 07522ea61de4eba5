declare module 'workerd' {
  const workerd: { /** Path of the program. */ readonly default: string };
  export default workerd;
}
