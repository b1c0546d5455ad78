/** Spanish texts that all hosted pages have. */
import type { HostedWords } from './catalogue.js';

export const spanish: HostedWords = {
  frame: {
    skip: 'Ir al contenido',
    language: 'Idioma',
    errorTitle: 'Error: {{title}}',
    problem: 'Hay un problema',
    helpHeading: '¿Necesita ayuda?',
    helpMail: 'Escriba a {{merchant}}: {{email}}',
    helpPage: 'Ayuda de {{merchant}}',
    helpAsk: 'Pregunte a {{merchant}}, que le ha enviado aquí.',
    returnTo: 'Volver a {{merchant}}',
    reference: 'Referencia: {{id}}',
    licensedBy: 'El dinero lo mueve {{name}}, {{address}}. {{licence}}, número {{number}}.',
    supervisedBy: 'Supervisión: {{supervisor}}, {{phone}}.',
    complaints: 'Reclamaciones: {{email}}',
  },
  failures: {
    notFound: {
      title: 'Esta página no existe',
      text: 'La dirección puede estar incompleta. Abra otra vez el enlace que recibió.',
    },
    unreadable: {
      title: 'No se pudo leer',
      text: 'Lo que envió su navegador no llegó bien. Vuelva atrás e inténtelo de nuevo.',
    },
    tooLarge: {
      title: 'Era demasiado grande',
      text: 'Los archivos son demasiado grandes. Vuelva atrás y elija otros más pequeños, de uno en uno.',
    },
    tooMany: {
      title: 'Demasiados intentos',
      text: 'Hubo muchos intentos en poco tiempo. Espere un minuto, vuelva atrás e inténtelo de nuevo.',
    },
    busy: {
      title: 'En este momento hay mucha actividad',
      text: 'Lo que guardó se conserva. Espere un minuto, vuelva atrás e inténtelo de nuevo.',
    },
    unsure: {
      title: 'Compruébelo otra vez, por favor',
      text: 'La conexión se cortó mientras se guardaban sus respuestas. Abra su enlace de nuevo para ver si llegaron.',
    },
    broken: {
      title: 'Algo falló por nuestra parte',
      text: 'Lo que guardó se conserva. Vuelva atrás e inténtelo de nuevo en unos minutos.',
    },
    again: 'Intentar de nuevo',
  },
};
