// Included before ImGui's OpenGL backend in the page. The backend saves OpenGL's state before it draws and
// restores it afterwards. A browser answers such a question only when everything drawn so far is finished,
// so that asking takes longer than all the rest of a frame. Nobody but this backend draws in the page's
// context, and it sets what it needs: the answers are constants.
#pragma once

#include <GLES3/gl3.h>

static inline void known_gl_integer(GLenum name, GLint* value) {
    switch (name) {
        case GL_ACTIVE_TEXTURE:
            *value = GL_TEXTURE0;
            break;
        case GL_BLEND_SRC_RGB:
        case GL_BLEND_SRC_ALPHA:
            *value = GL_ONE;
            break;
        case GL_BLEND_DST_RGB:
        case GL_BLEND_DST_ALPHA:
        case GL_CURRENT_PROGRAM:
        case GL_TEXTURE_BINDING_2D:
        case GL_ARRAY_BUFFER_BINDING:
        case GL_ELEMENT_ARRAY_BUFFER_BINDING:
        case GL_VERTEX_ARRAY_BINDING:
            *value = 0;
            break;
        case GL_BLEND_EQUATION_RGB:
        case GL_BLEND_EQUATION_ALPHA:
            *value = GL_FUNC_ADD;
            break;
        case GL_SCISSOR_BOX:  // switched off outside of the backend
        case GL_VIEWPORT:     // set before each frame
            value[0] = value[1] = value[2] = value[3] = 0;
            break;
        default:  // asked once, at the start
            glGetIntegerv(name, value);
    }
}

#define glGetIntegerv known_gl_integer
