/** The first lines of a file of kustomize. @param kind Kustomization or Component */
export const kustomize = (kind) => ({
  apiVersion: `kustomize.config.k8s.io/${kind === 'Component' ? 'v1alpha1' : 'v1beta1'}`,
  kind,
});
