/** The build turns a style sheet into its minified text. */
declare module "*.css" {
  const text: string;
  export default text;
}
